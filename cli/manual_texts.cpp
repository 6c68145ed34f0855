// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/manual_texts.hpp"

#include <algorithm>

namespace redtune::cli {
namespace {

const std::vector<ManualText>& manual_texts() {
  static const std::vector<ManualText> texts{
      {"devices",
       "Lists every device that redtune can tune on: GPUs of the platforms whose modules could be "
       "opened, and the host, which runs kernels on the processor. Where a platform has no device, "
       "a line says why.",
       {{"redtune devices", "what is here"},
        {"redtune devices --json", "the same with all that tells one device from another"}}},
      {"doctor",
       "Looks at everything that tuning needs: drivers and compilers, folders and their "
       "permissions, environment variables, the store and its snapshot. It says first whether "
       "tuning works, then what is wrong and what to do about it. Nothing is changed.",
       {{"redtune doctor", "is everything in order?"},
        {"redtune doctor --measure --device cuda:0", "also how much times vary on one GPU"},
        {"redtune doctor --bundle report.tar.gz", "all that a person who helps will ask for"}}},
      {"probe",
       "Measures how fast a device reads, copies and launches, in a few seconds: the yardstick by "
       "which a reduction is near what the device can do, or not.",
       {{"redtune probe --device hip:0", "one GPU"},
        {"redtune probe --json", "as numbers, with intervals"}}},
      {"tune",
       "Searches the configurations of a reduction, checks the results of each, measures them, "
       "times the best against the default, and keeps the winner for all programs of this user. "
       "Without a problem a standard set is tuned. What is known already is not tuned again; what "
       "was interrupted goes on where it ended.",
       {{"redtune tune", "the standard set: once for each GPU"},
        {"redtune tune --op sum --type f32 --count 2^24", "one sum"},
        {"redtune tune --shape 4096x1024 --axis 1 --budget 30s", "each row of an array, briefly"},
        {"redtune tune --count 2^20 --set block_size=256 --set block_size=512",
         "among some configurations alone; nothing is published"},
        {"redtune tune --wanted --budget 10m", "what programs asked for, for ten minutes"},
        {"redtune tune kernel.cu --size n=2^20", "a kernel of yours"}}},
      {"query",
       "Shows the configuration that programs get for a reduction, how fast it was measured to be, "
       "and how well the answer fits: exact, of another driver or GPU, of a near size, predicted, "
       "or the default. Nothing is measured.",
       {{"redtune query --op sum --type f32 --count 2^24", "what is known of one sum"},
        {"redtune query --count 1000000 --explain", "and where it was looked for"},
        {"redtune query --count 2^20 --min-match near",
         "exit code 4 where only a default is known"}}},
      {"log",
       "Without a number lists the tuning runs of this store. With one shows what the run tried, "
       "which finalists there were, what won and by how much, what each value of a tunable cost, "
       "and what failed.",
       {{"redtune log --since 3d --failed", "runs of three days that came to no result"},
        {"redtune log 12", "one run"},
        {"redtune log 12 --failed", "what failed in it, in full"},
        {"redtune log --follow", "the run that is under way"}}},
      {"report",
       "Writes an HTML page that needs no network: of a run with its verdict, charts and all "
       "trials, or of all results of devices. Two runs or two devices are set side by side by "
       "--compare. The same as rows is written by --csv and --json.",
       {{"redtune report 12", "the page of run 12"},
        {"redtune report --device H100 --out h100.html", "all results of one device"},
        {"redtune report --compare 3 5", "what changed between two runs"},
        {"redtune report 12 --csv -", "a line for each trial"}}},
      {"wanted",
       "Lists what programs asked the library for and nobody has tuned, the most useful first: by "
       "how many processes, how often it was launched, and what a tuned answer is likely to save. "
       "'redtune tune --wanted' tunes it.",
       {{"redtune wanted", "what would be worth tuning?"},
        {"redtune wanted --clear", "forget it all"}}},
      {"serve",
       "Watches what programs asked for and nobody has tuned, and the devices. When nobody else "
       "has "
       "used a device for the time of --idle, it is tuned, the most useful first. As soon as "
       "somebody comes, the tune is ended within a second, and goes on later from where it was. It "
       "tells systemd how it is, and ends within two seconds on SIGTERM.",
       {{"redtune serve", "all GPUs, each after five minutes without anybody"},
        {"redtune serve --device cuda:1 --idle 30s", "one GPU, soon"},
        {"redtune serve --once --idle 0 --budget 30m", "now, for half an hour at most: for cron"}}},
      {"cache path",
       "Shows the files and folders of this user and of this machine in which results, logs and "
       "compiled kernels are kept, in the order in which they are asked, and what is there now.",
       {{"redtune cache path", "where is everything?"},
        {"redtune cache path --cache shared.db", "the same for another store"}}},
      {"cache list",
       "Lists what the store answers with: problem, device, time and configuration of each result, "
       "and whether it fits this machine. Older and revoked results are shown by --all.",
       {{"redtune cache list --op sum --type f32", "of one operator and type"},
        {"redtune cache list --all", "with those that no longer answer"},
        {"redtune cache list --excluded", "configs that are never tried again, and why"}}},
      {"cache show",
       "Shows everything that is known of one result: configuration, times with intervals, the "
       "finalists it was timed against, the device, the toolchain and the run that found it.",
       {{"redtune cache show 7", "result 7 of 'redtune cache list'"},
        {"redtune cache show 7 --json", "as one document"}}},
      {"cache explain",
       "Answers a question as a program would get it, and shows each place that was looked at on "
       "the way: why a result fits, or what differs.",
       {{"redtune cache explain --op max --type i32 --count 2^22", "why is this the answer?"}}},
      {"cache verify",
       "Checks the store from end to end: the database, each result in it, and the snapshot that "
       "applications read. What is damaged is named, with what can be done.",
       {{"redtune cache verify", "this user's store"},
        {"redtune cache verify --cache backup.db", "another one"}}},
      {"cache export",
       "Writes the best known results for other stores, what one run tried for other tuners, or a "
       "header with configurations as constants for programs that are built without redtune.",
       {{"redtune cache export --out results.json", "all results, to be imported elsewhere"},
        {"redtune cache export --format t4 --run 12 --out run12.t4.json", "a run's trials"},
        {"redtune cache export --format c++ --op sum --out configs.hpp", "constants for C++"}}},
      {"cache import",
       "Takes over results and trials that 'redtune cache export' wrote elsewhere, and snapshots. "
       "What is there already is not doubled; what is damaged is left out and named.",
       {{"redtune cache import results.json", "what somebody sent"},
        {"redtune cache import a.json b.json --cache team.db", "into another store"}}},
      {"cache merge",
       "Takes over all runs, trials and results of other stores, such as those of machines of one "
       "kind: of results of the same question the newest answers.",
       {{"redtune cache merge node1.db node2.db", "two stores into this one"}}},
      {"cache restore",
       "Without a word lists the kept generations of the answers. With the number of one, or a "
       "snapshot file, makes its answers those of this store again. The results of today stay, and "
       "can be brought back likewise.",
       {{"redtune cache restore", "which are kept?"},
        {"redtune cache restore 41", "as it was then"}}},
      {"cache pin",
       "Keeps a copy of the snapshot that programs read, which no tune replaces and 'cache gc' "
       "leaves alone, and prints its name, sha256:... Programs with REDTUNE_SNAPSHOT set to it get "
       "all their answers from this very snapshot, on each machine that keeps it, or an error.",
       {{"redtune cache pin", "what is known now, for REDTUNE_SNAPSHOT"},
        {"redtune cache pin --list", "which are kept, and in which files?"},
        {"redtune cache pin release.snap", "keep one that was copied from another machine"}}},
      {"cache revoke",
       "Takes a result back that turned out to be bad: the one before it answers again, or the "
       "default. It stays in the store with the reason, and --restore undoes it.",
       {{"redtune cache revoke 7 --reason slow", "do not use result 7"},
        {"redtune cache revoke 7 --restore", "use it after all"},
        {"redtune cache revoke 3 --excluded", "let a config that failed be tried again"}}},
      {"cache gc",
       "Removes what can be made again: compiled kernels that are old or too many, and, when "
       "asked, trials of old runs. Results are never removed.",
       {{"redtune cache gc --dry-run", "what would go?"},
        {"redtune cache gc --keep 90 --binaries-mib 1024", "trials of 90 days, kernels of 1 GiB"}}},
      {"reduce",
       "Reduces numbers with the configuration that programs would get, checks the result against "
       "an exact one, and says how long it took. The numbers come from a file of raw binary "
       "values, from a pipe, or are generated.",
       {{"redtune reduce data.bin --op max --type f64", "the largest of a file"},
        {"redtune reduce - --type i32", "of what comes through standard input"},
        {"redtune reduce --count 2^24 --set block_size=512", "time a configuration of yours"},
        {"redtune reduce data.bin --shape 1000x768 --axis 1 --results sums.bin", "each row"}}},
      {"fleet key",
       "Makes a pair of Ed25519 keys. The secret one signs exports and pushes, and stays with "
       "whoever "
       "answers for the results; the public one is copied to the machines that are to believe "
       "them, "
       "into /etc/redtune/keys.",
       {{"redtune fleet key fleet.key", "fleet.key and fleet.key.pub"}}},
      {"fleet init",
       "Makes the tables, functions and roles of a fleet store in a PostgreSQL database of version "
       "13 or later, or brings those of an older redtune up to date. What is there stays. Roles: "
       "redtune_reader, redtune_publisher, redtune_curator; grant them to the roles that machines "
       "and people connect as. Passwords are read by libpq's own means alone, such as ~/.pgpass.",
       {{"redtune fleet init postgresql:///redtune", "as the owner of the database"}}},
      {"fleet push",
       "Adds what this machine found itself to a fleet store: results that answer, borders, the "
       "trials of runs, and what its programs asked for. What is there already is passed over, so "
       "that a push that broke off is simply done again.",
       {{"redtune fleet push postgresql:///redtune", "after a tune, or by a timer"},
        {"redtune fleet push --sign fleet.key postgresql:///redtune",
         "for machines that believe this key"}}},
      {"fleet pull",
       "Takes over what is new in a fleet store, by the rules of 'cache import', into this "
       "machine's own store and snapshot. Programs read those alone: the database may be away for "
       "days. Without keys in the folder of --keys nothing is believed unless --unsigned is given.",
       {{"redtune fleet pull postgresql:///redtune", "by a timer, or before a job"},
        {"redtune fleet pull --unsigned postgresql:///redtune",
         "where everybody who may push is believed"},
        {"redtune fleet pull postgresql:///redtune --cache "
         "/var/lib/redtune/results-v1.db",
         "for all users of a machine, as root"}}},
      {"fleet status",
       "Shows what is in a fleet store: results, questions that are open, being tuned and "
       "answered, "
       "who is at them and for how long, and how large the database is.",
       {{"redtune fleet status postgresql:///redtune", "for people"},
        {"redtune fleet status --json postgresql:///redtune", "for programs"}}},
      {"fleet revoke",
       "Takes a result back for all machines: each marks it as revoked when it pulls next, and "
       "what "
       "answered before answers again. Needs the role redtune_curator.",
       {{"redtune fleet revoke postgresql:///redtune 17 --reason slow",
         "result 17 of 'redtune cache list' here"}}},
      {"ladder",
       "Runs the steps by which a sum is classically made fast, from an atomic addition for each "
       "element to the tuned kernel, checks each, and shows its time beside what the memory can "
       "deliver.",
       {{"redtune ladder", "all steps"},
        {"redtune ladder --step tree_interleaved --step vectorized --count 2^24", "two of them"},
        {"redtune ladder --svg ladder.svg", "also as a chart"}}},
      {"simulate",
       "Lets search strategies search spaces that were measured whole before, many times each, and "
       "scores them: 0 is what random search finds, 1 the optimum at once. No device is used.",
       {{"redtune simulate space.t4.json.gz", "all strategies"},
        {"redtune simulate a.json b.json --strategy random --strategy surrogate",
         "two, on two spaces"},
        {"redtune simulate space.t4.json.gz --runs 20 --plot curves.svg",
         "fewer runs, and curves"}}},
      {"kernels list",
       "Lists the families of kernels with their tunables and values, the operators, element types "
       "and search strategies: every name that other commands take.",
       {{"redtune kernels list", "for people"}, {"redtune kernels list --json", "for programs"}}},
      {"kernels show",
       "Shows how many configurations a family has for a problem on a device, what limits them, "
       "and the default; with --text the whole device program that would be compiled.",
       {{"redtune kernels show --op sum --type f32 --count 2^20", "the space of one sum"},
        {"redtune kernels show --text", "the device program"}}},
      {"kernels check",
       "Reads what comments in a kernel's own file, or a file beside it, say of a kernel of yours, "
       "shows how that was understood, compiles its default, runs it in a process of its own and "
       "checks what it computed.",
       {{"redtune kernels check kernel.cu", "before it is tuned"},
        {"redtune kernels check kernel.cu --size n=1000", "at another size"}}},
      {"kernels compile",
       "Compiles the configurations of a space for a GPU that need not be here, and shows "
       "registers, spills, shared memory and size of each. With --out the binaries are written "
       "with what a program must know to launch them.",
       {{"redtune kernels compile --target hip:gfx90a", "a whole space"},
        {"redtune kernels compile --target cuda:sm_90 --set block_size=256 --out binaries",
         "some of it, into a folder"}}},
      {"completions",
       "Prints a script with which a shell completes commands, options, names and values, and asks "
       "this store for numbers of runs and results. Packages install it; elsewhere it is read by "
       "the shell's start file. The scripts ask 'redtune completions runs', 'results' and "
       "'generations' for numbers.",
       {{"redtune completions bash", "for ~/.bashrc: source it"},
        {"redtune completions runs", "what a shell would offer behind 'redtune log'"}}},
      {"help",
       "Lists the commands, those that begin with a word, or the options of one.",
       {{"redtune help cache", "commands on the store"}, {"redtune help tune", "options of tune"}}},
      {"version",
       "Shows the version of redtune. What drivers and compilers are here is told by 'redtune "
       "doctor'.",
       {{"redtune version", "one line"}}},
  };
  return texts;
}

}  // namespace

const ManualText* manual_text_of(const Command& command) {
  const auto text = std::ranges::find(manual_texts(), command.words, &ManualText::words);
  return text == manual_texts().end() ? nullptr : &*text;
}

}  // namespace redtune::cli
