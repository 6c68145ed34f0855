// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A user's struct as an operator of the kernels. What it lacks or gets wrong is said in one
// sentence each, behind "redtune says: ".
#pragma once

#include "prelude_custom.hip.h"
#include "types.hip.h"

namespace redtune_custom {

/// Found in place of the user's struct where there is none.
struct custom {
  typedef void is_missing;
};

}  // namespace redtune_custom

namespace redtune {

/// void when T can be named: what is asked of a type is asked by naming it.
template <class T>
struct named {
  typedef void type;
};
template <class T>
REDTUNE_DEVICE T some();
template <class T>
REDTUNE_DEVICE typename named<T>::type takes(T);

/// Members of the names that count. A struct that is derived from a user's and from this one has
/// one `combine` that can be named, unless the user's has one as well.
struct known_members {
  int identity;
  int combine;
  int transform;
  int finish;
};
template <class User>
struct doubled_members : User, known_members {};

#define REDTUNE_MEMBER(name)                                                              \
  template <class User, class = void>                                                     \
  struct has_##name {                                                                     \
    static constexpr bool value = true;                                                   \
  };                                                                                      \
  template <class User>                                                                   \
  struct has_##name<User, typename named<decltype(&doubled_members<User>::name)>::type> { \
    static constexpr bool value = false;                                                  \
  };
REDTUNE_MEMBER(identity)
REDTUNE_MEMBER(combine)
REDTUNE_MEMBER(transform)
REDTUNE_MEMBER(finish)
#undef REDTUNE_MEMBER

template <class User, class = void>
struct is_given {
  static constexpr bool value = true;
};
template <class User>
struct is_given<User, typename named<typename User::is_missing>::type> {
  static constexpr bool value = false;
};

/// Whether calls have results that can become what they should.
template <class User, class Acc, class = void>
struct gives_identity {
  static constexpr bool value = false;
};
template <class User, class Acc>
struct gives_identity<User, Acc, typename named<decltype(takes<Acc>(User::identity()))>::type> {
  static constexpr bool value = true;
};
template <class User, class E, class Acc, class = void>
struct can_transform {
  static constexpr bool value = false;
};
template <class User, class E, class Acc>
struct can_transform<User, E, Acc,
                     typename named<decltype(takes<Acc>(User::transform(some<E>())))>::type> {
  static constexpr bool value = true;
};
template <class User, class Acc, class Result, class = void>
struct can_finish {
  static constexpr bool value = false;
};
template <class User, class Acc, class Result>
struct can_finish<
    User, Acc, Result,
    typename named<decltype(takes<Result>(User::finish(some<Acc>(), some<i64>())))>::type> {
  static constexpr bool value = true;
};
/// Values pass through combine again and again: it must not give another type than it takes.
template <class User, class Acc, class = void>
struct can_combine {
  static constexpr bool value = false;
};
template <class User, class Acc>
struct can_combine<User, Acc,
                   typename named<decltype(User::combine(some<Acc>(), some<Acc>()))>::type> {
  static constexpr bool value =
      is_same<decltype(User::combine(some<Acc>(), some<Acc>())), Acc>::value;
};

/// What is known of a user's struct, and what is wrong with it.
template <class User, class E, class Acc, class Result>
struct checked_user_operator {
  static constexpr bool elementwise = false;
  static constexpr bool padded = false;  // what element changes nothing is not known
  static constexpr bool plain = false;
  static constexpr bool indexed = false;

  static constexpr bool is_there = is_given<User>::value;
  static constexpr bool transforms = has_transform<User>::value;
  static constexpr bool finishes = has_finish<User>::value;

  static_assert(is_there, "redtune says: there is no struct 'custom'");
  static_assert(!is_there || has_identity<User>::value,
                "redtune says: custom has no function identity()");
  static_assert(!has_identity<User>::value || gives_identity<User, Acc>::value,
                "redtune says: it must be: static accumulator identity()");
  static_assert(!is_there || has_combine<User>::value,
                "redtune says: custom has no function combine(accumulator, accumulator)");
  static_assert(!has_combine<User>::value || can_combine<User, Acc>::value,
                "redtune says: it must be: static accumulator combine(accumulator, accumulator)");
  static_assert(!transforms || can_transform<User, E, Acc>::value,
                "redtune says: it must be: static accumulator transform(element)");
  static_assert(!finishes || can_finish<User, Acc, Result>::value,
                "redtune says: it must be: static result finish(accumulator, i64)");
};

template <class User, class E, class Acc, class Result>
struct user_operator : checked_user_operator<User, E, Acc, Result> {
  typedef user_operator fold;
  typedef checked_user_operator<User, E, Acc, Result> checked;
  static constexpr bool joint = false;

  template <class>
  static REDTUNE_DEVICE Acc identity() {
    return Acc(User::identity());
  }
  template <class, class Value>
  static REDTUNE_DEVICE Acc enter(Value x) {
    if constexpr (checked::transforms) {
      return Acc(User::transform(E(x)));
    } else {
      return Acc(x);
    }
  }
  template <class>
  static REDTUNE_DEVICE Acc combine(Acc a, Acc b) {
    return User::combine(a, b);
  }
  template <class Out>
  static REDTUNE_DEVICE Out leave(Acc a, i64 count) {
    if constexpr (checked::finishes) {
      return convert<Out>(Result(User::finish(a, count)));
    } else {
      return convert<Out>(typename either<is_integer<Acc>::value, Result, Acc>::type(a));
    }
  }
};

}  // namespace redtune
