/** The style of the page: fonts of the reader's system, light and dark colours. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --soft: #55606f; --line: #d7dce3; --code: #f0f2f5;
  --error: #b3261e; --warning: #8a5300; --info: #1c5d99; --good: #1e6b3a; --focus: #1c5d99; --bar: #e3e7ec;
  --error-fill: #d8453b; --warning-fill: #d58a12; --info-fill: #4b8bc8; --good-fill: #2f9457;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --ink: #e6eaf0; --soft: #a3aebc; --line: #323b48; --code: #232a35;
    --error: #ff9d94; --warning: #f2bd6b; --info: #8fc1f2; --good: #86d6a2; --focus: #8fc1f2; --bar: #2c3542;
    --error-fill: #e5675d; --warning-fill: #dc9a35; --info-fill: #5b9bd8; --good-fill: #48ab70;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main, header.top, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header.top { padding-top: 1.75rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
p { margin: .25rem 0; }
a { color: var(--info); }
a:focus-visible, summary:focus-visible, input:focus-visible, select:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.soft, footer { color: var(--soft); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1.1rem 1.25rem; margin: 1rem 0; }
.overview { display: grid; grid-template-columns: minmax(11rem, auto) 1fr; gap: 1.5rem 2.5rem; align-items: start; }
@media (max-width: 45rem) { .overview { grid-template-columns: 1fr; } .meter svg { display: none; } }
.score { font-size: 3.75rem; line-height: 1; font-weight: 650; font-variant-numeric: tabular-nums; }
.score small { font-size: 1.1rem; font-weight: 400; color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
tr:last-child > * { border-bottom: 0; }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: .85rem; }
td.number, th.number { text-align: right; }
.meter { display: flex; gap: .75rem; align-items: center; }
.error { color: var(--error); } .warning { color: var(--warning); } .info { color: var(--info); } .good { color: var(--good); }
.label { font-weight: 600; white-space: nowrap; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1.25rem; align-items: end; margin-bottom: .75rem; }
.filters[hidden] { display: none; }
.filters fieldset { border: 0; padding: 0; margin: 0; display: flex; gap: 1rem; }
.filters legend { float: left; margin-right: .75rem; }
input[type=search], select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 5px; padding: .3rem .5rem; display: block; }
details.file { border-top: 1px solid var(--line); padding: .45rem 0; }
summary { cursor: pointer; padding: .2rem 0; overflow-wrap: anywhere; }
details.file > summary { font-weight: 600; }
.counts { font-weight: 400; margin-left: .5rem; white-space: nowrap; }
article { margin: .7rem 0 1.1rem 1.1rem; }
article p { overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: .5rem .75rem; margin: .35rem 0; overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; }
mark { background: none; color: inherit; text-decoration: underline wavy; text-underline-offset: 3px; text-decoration-thickness: 1.5px; }
[data-severity=error] mark { text-decoration-color: var(--error-fill); } [data-severity=warning] mark { text-decoration-color: var(--warning-fill); }
code { font: 13px ui-monospace, monospace; background: var(--code); border-radius: 4px; padding: 0 .25rem; }
.gutter { color: var(--soft); user-select: none; }
svg { display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .box { fill: var(--card); stroke: var(--soft); stroke-width: 1.25; }
svg .box.error { stroke: var(--error-fill); stroke-width: 2.5; } svg .box.warning { stroke: var(--warning-fill); stroke-width: 2.5; }
svg .box.info { stroke: var(--info-fill); stroke-width: 2; }
svg .edge { fill: none; stroke: var(--soft); stroke-width: 1.1; opacity: .65; }
svg .trend { fill: none; stroke: var(--info-fill); stroke-width: 2.5; }
svg .dot { fill: var(--info-fill); }
svg .grid { stroke: var(--line); }
ul { padding-left: 1.2rem; margin: .4rem 0; }
li { overflow-wrap: anywhere; }
footer { padding-top: .5rem; padding-bottom: 2rem; font-size: .9rem; }
@media print { .filters { display: none; } section { break-inside: auto; } }
`

/** Filters the rows of the page. It contains no data of the project. Without scripts, everything is shown. */
export const SCRIPT = `
  const box = document.getElementById('filters')
  const text = document.getElementById('filter-text')
  const group = document.getElementById('filter-group')
  const levels = [...document.querySelectorAll('[name=severity]')]
  const status = document.getElementById('filter-status')
  const apply = () => {
    const words = text.value.trim().toLowerCase()
    const on = new Set(levels.filter((one) => one.checked).map((one) => one.value))
    let shown = 0
    for (const file of document.querySelectorAll('details.file')) {
      let own = 0
      const isNamed = file.dataset.path.toLowerCase().includes(words)
      for (const item of file.querySelectorAll('article')) {
        const fits = on.has(item.dataset.severity) && (group.value === '' || item.dataset.group === group.value) &&
          (words === '' || isNamed || item.textContent.toLowerCase().includes(words))
        item.hidden = !fits
        if (fits) own += 1
      }
      file.hidden = own === 0
      shown += own
    }
    const rest = Number(status.dataset.rest)
    status.textContent = (shown === 1 ? '1 finding shown' : shown + ' findings shown') +
      (rest > 0 ? '; ' + rest + ' more are not on this page' : '')
  }
  if (box) {
    box.hidden = false
    for (const one of [text, group, ...levels]) one.addEventListener('input', apply)
  }
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target && target.tagName === 'DETAILS') target.open = true
  }
  addEventListener('hashchange', open)
  open()
`
