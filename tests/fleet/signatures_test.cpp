// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Signatures: only what a key that is believed has signed answers, here and on the next machine, in
// fleet stores and in files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fleet/signing.hpp"
#include "tests/fleet/exchange.hpp"

namespace redtune::fleet::testing {
namespace {

/// It has a pair of keys, a.key, and a folder of keys that believes it.
void believe_a_key(const StoreHome& home) {
  ASSERT_EQ(home.run({"fleet", "key", home / "a.key"}).code, 0);
  fs::create_directory(home / "keys");
  fs::copy_file(home / "a.key.pub", home / "keys/a.pub");
}

/// A redtune that comes later may write other texts than this one.
TEST_F(Exchange, ASignatureIsOfTheTextThatWasSentAndARevocationOfWhatItSays) {
  const StoreHome first;
  std::vector<Entry> other = documents_in(cache::Store::copy_of(first.store_file()));
  std::erase_if(other, [](const Entry& entry) { return entry.kind != result_kind; });
  ASSERT_EQ(other.size(), 2U);
  for (Entry& entry : other) entry.document = json::parse(entry.document).dump(3);
  const Home second;
  Words believing{"--unsigned"};
#ifdef REDTUNE_WITH_SODIUM
  believe_a_key(first);
  for (Entry& entry : other) entry.signature = SigningKey(first / "a.key").sign(entry.document);
  believing = {"--keys", first / "keys"};
#endif
  ASSERT_EQ(store().add(other), 2U);
  const Said pulled = pull(second, believing);
  EXPECT_EQ(at(pulled, "results"), 2) << pulled.err;
  EXPECT_EQ(at(pulled, "forged"), 0);
  const json results = second.run({"cache", "list", "--json"}).document().at("results");
  const auto revoke = [&](int i) {
    return second.run({"fleet", "revoke", url(), results[i].at("id").dump(), "--reason", "fan"})
        .code;
  };
  EXPECT_EQ(revoke(0), 0) << "it is known by what it says";
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.revocation"), "1");
  EXPECT_EQ(at(push(first.home()), "results"), 1) << "what was taken back does not come again";
  EXPECT_EQ(at(pull(second), "results"), 0) << "the same in other words is nothing new";
  EXPECT_EQ(at(pull(first.home()), "revoked"), 1);
  EXPECT_EQ(revoke(1), 0);
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.revocation"), "3") << "in all words that there are";
  EXPECT_EQ(at(pull(first.home()), "revoked"), 1);
  // Who claims many results in one document takes none of them along when it is taken back.
  json many = json::parse(other[0].document);
  EXPECT_EQ(result_key(many.dump()), result_key(other[0].document));
  many["results"].push_back(json::parse(other[1].document).at("results")[0]);
  EXPECT_EQ(result_key(many.dump()), std::nullopt);
  EXPECT_EQ(result_key("no JSON"), std::nullopt);
}

TEST_F(Exchange, OnlyWhatAllowedKeysHaveSignedIsBelieved) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  const Said made = first.run({"fleet", "key", first / "good.key"});
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(first.run({"fleet", "key", first / "bad.key"}).code, 0);
  EXPECT_NE(first.run({"fleet", "key", first / "good.key"}).code, 0)
      << "a key is never overwritten";
  struct stat status {};
  ASSERT_EQ(stat((first / "good.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  const Home second;
  fs::create_directory(second / "keys");
  const Words believing{"--keys", (second / "keys").string()};
  const Said nobody = pull(second, believing);
  EXPECT_EQ(nobody.code, 2);
  EXPECT_TRUE(nobody.says("says who is believed")) << nobody.err;
  fs::copy_file(first / "good.key.pub", second / "keys/good.pub");

  EXPECT_EQ(at(push(first.home()), "results"), 2);
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "bad.key"}), "results"), 2);
  const Said none = pull(second, believing);
  EXPECT_EQ(at(none, "unsigned"), 4);
  EXPECT_EQ(answers(second), 0U);
  EXPECT_TRUE(none.says("4 of 4 entries are not signed by an allowed key")) << none.err;
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "good.key"}), "results"), 2);
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "good.key"}), "results"), 0);
  const Said both = pull(second, believing);
  EXPECT_EQ(at(both, "entries"), 2) << "behind the others";
  EXPECT_EQ(at(both, "results"), 2);
  // Whoever is believed later is believed with what they said before.
  const Home third;
  fs::create_directory(third / "keys");
  fs::copy_file(first / "good.key.pub", third / "keys/good.pub");
  const Words there{"--keys", (third / "keys").string()};
  EXPECT_EQ(at(pull(third, there), "results"), 2);
  fs::copy_file(first / "bad.key.pub", third / "keys/bad.pub");
  EXPECT_EQ(at(pull(third, there), "entries"), 6);
  // A signature of something else.
  (void)sql("ALTER TABLE redtune.entry DISABLE TRIGGER USER");
  (void)sql(
      "UPDATE redtune.entry SET signature = sha256('a') || sha256('b') WHERE id ="
      " (SELECT max(id) FROM redtune.entry WHERE kind = 'result' AND signer <> '')");
  const Home fourth;
  EXPECT_EQ(at(pull(fourth), "forged"), 1) << "not even with --unsigned";
}

TEST_F(Exchange, AFalseSignatureKeepsNoTrueOneOut) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  believe_a_key(first);
  ASSERT_EQ(at(push(first.home()), "results"), 2);
  const std::string text = cache::testing::read_text(first / "a.key.pub");
  const std::string signer = text.substr(text.find('\n') + 1, 64);
  (void)sql(
      "INSERT INTO redtune.entry (kind, device_class, question, subject, document, digest, signer,"
      " signature, build) SELECT kind, device_class, question, subject, document, digest,"
      " decode('" +
      signer + "', 'hex'), sha256('a') || sha256('b'), 'false' FROM redtune.entry");
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "a.key"}), "results"), 2);
  const Home second;
  const Said pulled = pull(second, {"--keys", first / "keys"});
  EXPECT_EQ(at(pulled, "results"), 2) << pulled.err;
  EXPECT_EQ(at(pulled, "forged"), 2);
}

TEST_F(Exchange, KeysThatOthersCanChangeAreNotBelieved) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  believe_a_key(first);
  chmod((first / "keys").c_str(), 0777);
  const Said said = pull(first.home(), {"--keys", first / "keys"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("is not believed")) << said.err;
  fs::rename(first / "keys/a.pub", first / "a.pub");
  const Said empty = pull(first.home(), {"--keys", first / "keys", "--unsigned"});
  EXPECT_TRUE(empty.says("keys is not believed: it can be changed by others")) << empty.err;
  fs::rename(first / "a.pub", first / "keys/a.pub");
  chmod((first / "keys").c_str(), 0755);
  // Of what cannot be looked at nobody knows that there are no keys.
  fs::create_symlink(first / "loop", first / "loop");
  for (const std::string& folder : {first / "loop", first / "a.key/keys"}) {
    const Said unknown = pull(first.home(), {"--keys", folder, "--unsigned"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.says("cannot read the allowed keys in")) << unknown.err;
  }
  cache::testing::write_text(first / "keys/b.pub", "no key");
  EXPECT_TRUE(pull(first.home(), {"--keys", first / "keys"}).says("is no public key of redtune"));
  chmod((first / "a.key").c_str(), 0644);
  EXPECT_TRUE(push(first.home(), {"--sign", first / "a.key"}).says("can be read by others"));
  chmod((first / "a.key.pub").c_str(), 0600);
  EXPECT_TRUE(push(first.home(), {"--sign", first / "a.key.pub"}).says("is no secret key"));
}

TEST_F(Exchange, FilesAreImportedAsEverUntilThereAreKeys) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  ASSERT_EQ(first.run({"fleet", "key", first / "a.key"}).code, 0);
  const std::string file = first / "out.json";
  EXPECT_TRUE(
      first.run({"cache", "export", "--sign", first / "a.key"}).says("name that with --out"));
  ASSERT_EQ(first.run({"cache", "export", "--out", file}).code, 0);
  const Home home;
  const auto import = [&](const Words& more) {
    return home.run(cli::with({"cache", "import", file, "--keys", (home / "keys").string()}, more));
  };
  EXPECT_EQ(home.run({"cache", "import", file}).code, 0) << "there are no keys: as it always was";
  for (const bool is_there : {false, true}) {
    if (is_there) fs::create_directory(home / "keys");
    for (const Words& more : {Words{}, Words{"--unsigned"}}) {
      const Said said = import(more);
      EXPECT_EQ(said.code, 2) << "who names a folder wants keys";
      EXPECT_TRUE(said.says("says who is believed; put public keys there")) << said.err;
    }
  }
  fs::copy_file(first / "a.key.pub", home / "keys/a.pub");
  const Said refused = import({});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.says("is not signed, and this machine takes only what a key in "))
      << refused.err;
  EXPECT_EQ(import({"--unsigned"}).code, 0);
  ASSERT_EQ(first.run({"cache", "export", "--out", file, "--sign", first / "a.key"}).code, 0);
  EXPECT_EQ(import({}).code, 0);
  cache::testing::write_text(file, cache::testing::read_text(file) + "\n");
  for (const Words& more : {Words{}, Words{"--unsigned"}}) {
    EXPECT_TRUE(import(more).says("one of them was changed or is torn"));
  }
  cache::testing::write_text(file + ".sig", "no signature");
  EXPECT_TRUE(import({}).says("out.json.sig is no signature of redtune"));
  const Words merge{"cache", "merge", first.store_file().string(), "--keys",
                    (home / "keys").string()};
  EXPECT_TRUE(home.run(merge).says("a store is not signed"));
  EXPECT_EQ(home.run(cli::with(merge, {"--unsigned"})).code, 0);
}

}  // namespace
}  // namespace redtune::fleet::testing
