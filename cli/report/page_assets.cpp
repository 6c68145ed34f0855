// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/page_assets.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view page_rules = R"(:root {
  color-scheme: light dark;
  --paper: #ffffff; --back: #f6f8fa; --text: #24292f; --quiet: #57606a; --edge: #d0d7de;
  --accent: #0072b2; --alarm: #b42318;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #161b22; --back: #0d1117; --text: #e6edf3; --quiet: #adbac7; --edge: #30363d;
    --accent: #58a6ff; --alarm: #ff8f85;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 16px; max-width: 1400px; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5em; line-height: 1.25; margin: 8px 0; }
h2 { font-size: 1.2em; margin: 28px 0 8px; }
h3 { font-size: 1em; margin: 0 0 4px; }
p { margin: 6px 0; max-width: 75ch; }
.verdict { font-size: 1.15em; font-weight: 600; }
.quiet, caption { color: var(--quiet); }
.warning { color: var(--alarm); }
.cards {
  display: grid; gap: 12px; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 350px), 1fr));
}
.card, .scroll, .facts {
  background: var(--paper); border: 1px solid var(--edge); border-radius: 6px; padding: 12px;
}
.card { min-width: 0; break-inside: avoid; }
.chart { display: block; width: 100%; height: auto; }
.coverage { width: auto; }
.coverage td { text-align: center; min-width: 3em; border: 1px solid var(--paper); padding: 3px 6px; }
.coverage tbody tr:nth-child(even) { background: none; }
.coverage tbody th { font-weight: 400; border: 0; }
td.m-exact { background: #08306b; color: #ffffff; }
td.m-drift, td.m-sibling { background: #3f80b8; color: #ffffff; }
td.m-near { background: #a6c8e4; color: #24292f; }
td.m-predicted { background: #f6d9a8; color: #24292f; }
td.m-default { color: var(--quiet); }
.pair { max-width: 560px; }
.pair[hidden] { display: none; }
.facts { display: grid; gap: 2px 16px; margin: 12px 0; grid-template-columns: max-content 1fr; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; overflow-wrap: normal; }
caption { text-align: left; padding-bottom: 6px; }
th, td { text-align: left; padding: 3px 10px 3px 0; vertical-align: top; }
th { border-bottom: 1px solid var(--edge); white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.word { white-space: nowrap; }
td.long { min-width: 22em; overflow-wrap: anywhere; }
tbody tr:nth-child(even) { background: var(--back); }
tr.winner td { font-weight: 600; }
pre {
  overflow-x: auto; max-height: 24em; background: var(--back); border: 1px solid var(--edge);
  padding: 8px; font-size: 12px; white-space: pre-wrap;
}
summary { cursor: pointer; }
th button {
  all: unset; cursor: pointer; font-weight: 600; padding: 2px 0;
}
th button::after { content: " ↕"; color: var(--quiet); }
th[aria-sort="ascending"] button::after { content: " ↑"; color: var(--accent); }
th[aria-sort="descending"] button::after { content: " ↓"; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.controls { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: end; margin: 8px 0; }
.controls[hidden] { display: none; }
.controls label { display: grid; gap: 2px; color: var(--quiet); font-size: 13px; }
input, select {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet);
  border-radius: 4px; padding: 4px 8px; max-width: 100%;
}
input { width: 22em; }
@media (max-width: 500px) {
  body { padding: 10px; }
  .facts { grid-template-columns: 1fr; }
  .facts dd { margin-bottom: 6px; }
}
@media print {
  body { font-size: 10pt; max-width: none; padding: 0; }
  .controls, th button::after { display: none; }
  .scroll { overflow: visible; padding: 6px; }
  table { font-size: 6.5pt; }
  th, td, th.number { white-space: normal; overflow-wrap: anywhere; padding-right: 4px; }
  td.number { white-space: nowrap; overflow-wrap: normal; }
  td.long { min-width: 0; }
  .chart, tbody tr, td { print-color-adjust: exact; }
  pre { max-height: none; overflow: visible; }
}
)";

constexpr std::string_view table_script = R"('use strict';
(() => {
  const choice = document.getElementById('pair');
  if (!choice) return;
  const maps = [...document.getElementById('pairs').children];
  const show = () => { for (const map of maps) map.hidden = map.id !== choice.value; };
  choice.addEventListener('change', show);
  show();  // a browser that goes back may remember another choice
  document.getElementById('pair-controls').hidden = false;
})();
(() => {
  const table = document.getElementById('rows');
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const names = heads.map((head) => head.textContent.trim());
  const rows = [...body.rows];

  // A cell that is empty comes last, whichever way the others go.
  const valueOf = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number(text);
    return text !== '' && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const sortBy = (column) => {
    const head = heads[column];
    const falls = head.getAttribute('aria-sort') === 'ascending';
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
    const keyed = rows.map((row) => ({ row, value: valueOf(row, column) }));
    keyed.sort((a, b) => {
      if ((a.value === '') !== (b.value === '')) return a.value === '' ? 1 : -1;
      return falls ? compare(b.value, a.value) : compare(a.value, b.value);
    });
    body.append(...keyed.map((one) => one.row));
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = names[column];
    button.addEventListener('click', () => sortBy(column));
    head.replaceChildren(button);
  });

  let texts = null;
  // Settings that share a column have their names with them.
  const wordsOf = (name, text) => (name === 'settings' ? text : `${name}=${text}`);
  const textOf = (row) =>
    ' ' + names.map((name, i) => wordsOf(name, row.cells[i].textContent.trim())).join(' ').toLowerCase() + ' ';
  const filter = document.getElementById('filter');
  const choice = document.getElementById('choice');
  const shown = document.getElementById('shown');
  const chosen = choice ? names.indexOf(choice.dataset.column) : -1;
  const textIn = (row) => row.cells[chosen].textContent.trim();
  if (choice) {
    for (const name of new Set(rows.map(textIn))) choice.add(new Option(name, name));
  }
  // Dots and ticks of drawings are pieces of paths; each says which trials it is.
  const takeApart = () => [...document.querySelectorAll('path[data-trials]')].map((path) => ({
    path,
    pieces: path.getAttribute('d').split(/(?=M)/),
    trials: path.dataset.trials.split(' ').map((piece) => piece.split(',')),
  }));
  let drawn = null;
  const redraw = () => {
    drawn ??= takeApart();
    const hidden = new Set(rows.filter((row) => row.hidden).map((row) => row.dataset.trial));
    for (const { path, pieces, trials } of drawn) {
      const kept = pieces.filter((piece, i) => trials[i].some((trial) => !hidden.has(trial)));
      path.setAttribute('d', kept.join(''));
    }
  };
  const apply = () => {
    texts ??= rows.map(textOf);
    // A word with '=' is a whole value, so that 64 does not find 640.
    const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== '')
      .map((word) => (word.includes('=') ? ` ${word} ` : word));
    let count = 0;
    rows.forEach((row, i) => {
      const fits = words.every((word) => texts[i].includes(word)) &&
        (!choice || choice.value === '' || textIn(row) === choice.value);
      row.hidden = !fits;
      if (fits) ++count;
    });
    shown.textContent = `${count} of ${rows.length} shown`;
    redraw();
  };
  filter.addEventListener('input', apply);
  choice?.addEventListener('change', apply);
  shown.textContent = `${rows.length} of ${rows.length} shown`;
  document.getElementById('controls').hidden = false;
})();
)";

}  // namespace

std::string_view page_style() {
  return page_rules;
}

std::string_view page_script() {
  return table_script;
}

}  // namespace redtune::cli
