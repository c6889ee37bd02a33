import { compareText, escapeHtml } from '@stagecraft/spec'
import { compareFindings, type Finding, type Report, type ReportedRule } from '../../finding.ts'
import { countSeverities, presentFindings, type Score, scoreOf } from '../../score.ts'
import { SEVERITIES } from '../../vocabulary.ts'
import type { FormatOptions, HistoryEntry } from '../format-options.ts'
import { drawGraph } from './graph.ts'
import { count, printPage } from './markup.ts'
import { SCRIPT, STYLE } from './style.ts'

/** Findings beyond this number are only counted: browsers are slow with more. */
const MOST_FINDINGS = 2000

/** Prints a report as one page for a browser. It loads nothing, and its only script filters findings. */
export function printHtml(report: Report, options: FormatOptions): string {
  const { history = [], lineage, prefix = '', title = 'dbt project', version } = options
  const findings = presentFindings(report)
  const anchors = new Map(
    [...new Set(findings.map(({ path }) => path))].map((path, index) => [path, `file-${index}`]),
  )
  const anchorOf = (path: string): string => anchors.get(path) ?? 'findings'
  const score = scoreOf(report)
  const sections = [
    overview(report, score),
    ...(history.length > 0
      ? [trend([...history, { label: 'now', score: score.total, ...countSeverities(findings) }])]
      : []),
    ...(lineage
      ? [section('graph', 'Where the findings are', drawGraph(lineage, { findings, anchorOf }))]
      : []),
    section('findings', 'Findings by file', findingsByFile(report, { anchorOf, prefix })),
    ...(report.unchecked.length > 0 ? [section('unchecked', 'Not checked', unchecked(report))] : []),
    ...suppressed(report, prefix),
    section('rules', 'Rules with findings', rules(report, findings)),
  ]
  return printPage({
    title,
    topic: 'findings',
    summary: `${count(report.fileCount, 'file')}, ${count(report.modelCount, 'model')}, ${count(report.rules.length, 'rule')}`,
    style: STYLE,
    script: SCRIPT,
    skip: { id: 'findings', text: 'Skip to the findings' },
    main: sections.join('\n'),
    footer: `Stagecraft ${version}. No code of the project was run.`,
  })
}

function section(id: string, heading: string, content: string): string {
  return `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${heading}</h2>\n${content}\n</section>`
}

function gradeOf(score: number): 'good' | 'warning' | 'error' {
  return score >= 90 ? 'good' : score >= 70 ? 'warning' : 'error'
}

function overview(report: Report, score: Score): string {
  const present = presentFindings(report)
  const { error, info, warning } = countSeverities(present)
  const known = present.length - report.findings.length
  const rows = Object.entries(score.groups).map(([group, value]) => {
    const own = countSeverities(present.filter((finding) => finding.group === group))
    return `<tr><th scope="row">${escapeHtml(group)}</th><td><div class="meter">${bar(value)} ${value}</div></td>${SEVERITIES.map((severity) => `<td class="number">${own[severity]}</td>`).join('')}</tr>`
  })
  return section(
    'overview',
    'Overview',
    `<div class="overview"><div><p class="score ${gradeOf(score.total)}">${score.total}<small> of 100</small></p>
<p><span class="error">${count(error, 'error')}</span>, <span class="warning">${count(warning, 'warning')}</span>, <span class="info">${count(info, 'info')}</span></p>
${known > 0 ? `<p class="soft">${known} of them in the baseline</p>` : ''}
${report.unchecked.length > 0 ? `<p><a href="#unchecked">${report.unchecked.length} not checked</a></p>` : ''}</div>
<div class="scroll" tabindex="0" role="region" aria-label="Scores by group"><table><thead><tr><th scope="col">Group</th><th scope="col">Score of 100</th><th scope="col" class="number">Errors</th><th scope="col" class="number">Warnings</th><th scope="col" class="number">Infos</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div></div>
<p class="soft">The score is the share of files without findings. An error costs the whole file, a warning half of it, an info a tenth.</p>`,
  )
}

function bar(value: number): string {
  return `<svg width="160" height="10" aria-hidden="true"><rect width="160" height="10" rx="4" fill="var(--bar)"/><rect width="${(value * 160) / 100}" height="10" rx="4" fill="var(--${gradeOf(value)}-fill)"/></svg>`
}

const CHART = { width: 1080, height: 170, left: 34, right: 34, top: 24, bottom: 28 } as const

/** The distance from the scale to the first point, whose name needs room. */
const INSET = 28

function trend(entries: readonly HistoryEntry[]): string {
  const { bottom, height, left, right, top, width } = CHART
  const x = (index: number): number =>
    left + INSET + (index * (width - left - right - INSET)) / Math.max(1, entries.length - 1)
  const y = (score: number): number => top + ((100 - score) * (height - top - bottom)) / 100
  const points = entries.map(({ score }, index) => `${x(index).toFixed(1)},${y(score).toFixed(1)}`)
  const grid = [0, 50, 100].map(
    (value) =>
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}"/><text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  )
  // Names of reports are shown as space allows; the table has all of them.
  const step = Math.ceil(entries.length / 12)
  const dots = entries.map(({ label, score }, index) => {
    const [across, down] = [x(index).toFixed(1), y(score)]
    const name = index % step === 0 ? label.slice(0, 14) : ''
    return `<circle class="dot" cx="${across}" cy="${down.toFixed(1)}" r="4"/><text x="${across}" y="${(down - 9).toFixed(1)}" text-anchor="middle">${score}</text><text x="${across}" y="${height - 8}" text-anchor="middle">${escapeHtml(name)}</text>`
  })
  const rows = entries.map(
    ({ error, info, label, score, warning }) =>
      `<tr><th scope="row">${escapeHtml(label)}</th>${[score, error, warning, info].map((value) => `<td class="number">${value}</td>`).join('')}</tr>`,
  )
  return section(
    'trend',
    'Score over time',
    `<div class="scroll" tabindex="0" role="region" aria-label="Chart of the score"><svg width="${width}" height="${height}" role="img" aria-label="The score, from ${entries[0]?.score ?? 0} to ${entries.at(-1)?.score ?? 0}">${grid.join('')}<polyline class="trend" points="${points.join(' ')}"/>${dots.join('')}</svg></div>
<details><summary>Numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Numbers of the score"><table><thead><tr><th scope="col">Report</th><th scope="col" class="number">Score</th><th scope="col" class="number">Errors</th><th scope="col" class="number">Warnings</th><th scope="col" class="number">Infos</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div></details>`,
  )
}

/** The files whose findings are open at first. */
const OPEN_FILES = 5

interface FileOptions {
  readonly anchorOf: (path: string) => string
  readonly prefix: string
}

function findingsByFile(report: Report, { anchorOf, prefix }: FileOptions): string {
  const known = new Set(
    report.suppressed.flatMap(({ finding, kind }) => (kind === 'baseline' ? [finding] : [])),
  )
  const all = presentFindings(report)
  if (all.length === 0) return '<p class="good label">No findings.</p>'
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)
  const shown = all
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_FINDINGS)
    .toSorted(compareFindings)
  const files = [...Map.groupBy(shown, ({ path }) => path)].toSorted(
    ([, a], [, b]) => weigh(b) - weigh(a) || compareText(a[0]?.path ?? '', b[0]?.path ?? ''),
  )
  const parts = files.map(
    (
      [path, own],
      index,
    ) => `<details class="file" id="${anchorOf(path)}" data-path="${escapeHtml(path)}"${index < OPEN_FILES ? ' open' : ''}><summary>${escapeHtml(`${prefix}${path}`)}${badge(own)}</summary>
${own.map((finding) => article(finding, { isKnown: known.has(finding), prefix })).join('\n')}
</details>`,
  )
  const rest = all.length - shown.length
  return `${filters(report, rest)}
${parts.join('\n')}
${rest > 0 ? `<p class="soft">${rest} more are not shown here; stagecraft lint --format json lists all.</p>` : ''}`
}

function weigh(findings: readonly Finding[]): number {
  const { error, info, warning } = countSeverities(findings)
  return error * 1e6 + warning * 1e3 + info
}

function badge(findings: readonly Finding[]): string {
  const counts = countSeverities(findings)
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `<span class="${severity}">${count(counts[severity], severity)}</span>`,
  )
  return ` <span class="counts">${parts.join(', ')}</span>`
}

/**
 * Hidden until the script runs.
 *
 * @param rest The number of findings that the page leaves out.
 */
function filters({ rules: checked }: Report, rest: number): string {
  const groups = [...new Set(checked.map(({ group }) => group))]
  return `<div class="filters" id="filters" hidden><label>Find <input type="search" id="filter-text"></label>
<label>Group <select id="filter-group"><option value="">all</option>${groups.map((group) => `<option>${escapeHtml(group)}</option>`).join('')}</select></label>
<fieldset><legend>Severity</legend>${SEVERITIES.map((severity) => `<label><input type="checkbox" name="severity" value="${severity}" checked> ${severity}</label>`).join('')}</fieldset>
<p class="soft" role="status" id="filter-status" data-rest="${rest}"></p></div>`
}

function article(
  finding: Finding,
  { isKnown, prefix }: { readonly isKnown: boolean; readonly prefix: string },
): string {
  const { fix, group, help, message, name, path, rule, severity, start } = finding
  const place = `${prefix}${path}:${start.line}:${start.column}`
  return `<article data-severity="${severity}" data-group="${escapeHtml(group)}"><p><span class="label ${severity}">${severity}</span> ${escapeHtml(message)} <a href="#rule-${escapeHtml(rule)}">${escapeHtml(name === rule ? rule : `${rule} ${name}`)}</a>${isKnown ? ' <span class="soft">known</span>' : ''}</p>
<p class="soft">${escapeHtml(place)}</p>
${snippet(finding)}<p>${escapeHtml(help)}</p>${fix ? `<p class="soft">stagecraft lint --fix${fix.safety === 'unsafe' ? ' --unsafe' : ''}: ${escapeHtml(fix.summary)}</p>` : ''}</article>`
}

/** The longest part of a line to show. */
const WIDTH = 400

function snippet({ end, line, start }: Finding): string {
  if (line.trim() === '') return ''
  const from = Math.max(0, start.column - 1 - WIDTH / 2)
  const last = end.line === start.line ? end.column - 1 : line.length
  const [before, marked, after] = [
    line.slice(from, start.column - 1),
    line.slice(start.column - 1, Math.min(last, from + WIDTH)),
    line.slice(Math.min(last, from + WIDTH), from + WIDTH),
  ]
  return `<pre tabindex="0"><span class="gutter">${start.line} </span>${escapeHtml(before)}<mark>${escapeHtml(marked)}</mark>${escapeHtml(after)}</pre>\n`
}

function unchecked(report: Report): string {
  const reasons = Map.groupBy(report.unchecked, ({ reason, rule }) => `${rule}: ${reason}`)
  const items = [...reasons].map(([reason, own]) => {
    const names = [...new Set(own.map(({ subject }) => subject.name))]
    const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
    return `<li>${escapeHtml(reason)}: ${escapeHtml(names.slice(0, 5).join(', '))}${more}</li>`
  })
  return `<p>The files alone do not show whether these are right.</p><ul>${items.join('\n')}</ul>`
}

function suppressed({ suppressed: all }: Report, prefix: string): readonly string[] {
  const items = all
    .filter(({ kind }) => kind !== 'baseline')
    .map(({ finding: { message, path, rule, start }, reason }) => {
      const place = `${prefix}${path}:${start.line}`
      return `<li>${escapeHtml(`${rule} ${message}`)} <span class="soft">${escapeHtml(place)}</span>: ${escapeHtml(reason ?? 'no reason given')}</li>`
    })
  if (items.length === 0) return []
  return [section('suppressed', 'Suppressed, with their reasons', `<ul>${items.join('\n')}</ul>`)]
}

function rules({ rules: checked }: Report, findings: readonly Finding[]): string {
  const found = new Set(findings.map(({ rule }) => rule))
  const parts = checked.filter(({ id }) => found.has(id)).map(explain)
  return parts.length === 0 ? '<p>None.</p>' : parts.join('\n')
}

function explain({ docs, id, name, severity, summary }: ReportedRule): string {
  const title = name === id ? id : `${id} ${name}`
  const more = docs
    ? `<p>${escapeHtml(docs.why)}</p><pre tabindex="0">${escapeHtml(docs.example.code)}</pre><p>${escapeHtml(docs.remedy)}</p>`
    : ''
  return `<details id="rule-${escapeHtml(id)}"><summary>${escapeHtml(title)}</summary><p><span class="label ${severity}">${severity}</span> ${escapeHtml(summary)}</p>${more}</details>`
}
