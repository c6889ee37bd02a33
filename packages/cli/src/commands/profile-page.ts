import { PAGE_STYLE, printPage } from '@stagecraft/analysis'
import { type Observed, type Suggestion, suggestionsOf } from '@stagecraft/core/inference'
import {
  type CatalogTable,
  type Column,
  type ColumnProfile,
  escapeHtml,
  type TableProfile,
} from '@stagecraft/spec'
import { printBound, printLengths } from '../terminal/report.ts'
import { drawDiagram } from './profile-diagram.ts'

const OWN_STYLE = `${PAGE_STYLE}
.share { display: inline-block; width: 3rem; height: .6rem; background: var(--bar); border-radius: 3px; overflow: hidden; vertical-align: middle; margin-right: .5rem; }
.share svg { width: 100%; height: 100%; }
.share rect { fill: var(--info-fill); }
.share.nulls rect { fill: var(--warning-fill); }
.values { list-style: none; padding: 0; margin: 0; }
.values li { display: flex; gap: .5rem; align-items: baseline; }
.values .share { flex: none; width: 4rem; }
details.table { border-top: 1px solid var(--line); padding: .45rem 0; }
details.table > summary { font-weight: 600; }
td.values { min-width: 12rem; }
.nowrap, .values .soft { white-space: nowrap; }
svg .title { font-weight: 600; }
svg a:focus-visible rect { stroke: var(--focus); stroke-width: 3; }
`

/** The maximum number of values drawn for a column. */
const DRAWN_VALUES = 8

/** Prints profiles as one HTML page without scripts or external resources. */
export function printProfilePage(
  observed: Observed,
  { title, version }: { readonly title: string; readonly version: string },
): string {
  const { inference, profiles, tables } = observed
  const suggestions = suggestionsOf(inference, {})
  const read = profiles.filter(({ profile }) => profile !== undefined).length
  const rows = profiles.reduce((sum, { profile }) => sum + (profile?.rows ?? 0), 0)
  const details = tables.map((table, at) =>
    describeTable(table, profiles[at]?.profile, {
      id: `table-${at}`,
      found: suggestions.filter((one) => one.table.name === table.name && one.table.schema === table.schema),
    }),
  )
  return printPage({
    title,
    topic: 'profile',
    summary: `${number(tables.length)} tables, ${number(read)} of them read, ${number(rows)} rows`,
    style: OWN_STYLE,
    skip: { id: 'tables', text: 'Skip to the tables' },
    main: `${drawDiagram(tables, inference)}
<section id="tables" aria-labelledby="tables-title"><h2 id="tables-title">Tables</h2>
${details.join('\n')}
</section>`,
    footer: `Stagecraft ${version}. Values are shown only for columns that may be closed lists, never for personal data.`,
  })
}

interface TableFacts {
  readonly id: string
  readonly found: readonly Suggestion[]
}

function describeTable(
  table: CatalogTable,
  profile: TableProfile | undefined,
  { found, id }: TableFacts,
): string {
  const name = escapeHtml(table.schema === undefined ? table.name : `${table.schema}.${table.name}`)
  if (!profile)
    return `<details class="table" id="${id}"><summary>${name} <span class="counts warning">not read</span></summary></details>`
  const columns = table.columns.map((column) => describeColumn(column, profile, found)).join('\n')
  const key = found.find(({ kind }) => kind === 'key')
  const said = key
    ? `<p>Key: <code>${escapeHtml(key.text)}</code> <span class="soft">${escapeHtml(key.why)}</span></p>`
    : ''
  return `<details class="table" id="${id}" open><summary>${name} <span class="counts soft">${profile.sampled ? 'a sample of ' : ''}${number(profile.rows)} rows</span></summary>
${said}<div class="scroll" tabindex="0" role="region" aria-label="Columns of ${name}"><table>
<thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col" class="number">Distinct</th><th scope="col">Nulls</th><th scope="col">Range</th><th scope="col">Values</th><th scope="col">Found</th></tr></thead>
<tbody>
${columns}
</tbody></table></div></details>`
}

function describeColumn(
  { name, type }: Column,
  { columns, rows }: TableProfile,
  found: readonly Suggestion[],
): string {
  const column = columns[name]
  const own = found.filter(({ columns: about, kind }) => kind !== 'key' && about.includes(name))
  const facts = own.map(
    ({ confidence, kind, text }) =>
      `<li>${escapeHtml(`${kind}: ${text}`)} <span class="soft">${Math.floor(confidence * 100)} %</span></li>`,
  )
  const cells = [
    `<th scope="row">${escapeHtml(name)}</th>`,
    `<td class="soft">${escapeHtml(type)}</td>`,
    `<td class="number">${column?.distinct === undefined ? '' : `${column.approximate ? 'about ' : ''}${number(column.distinct)}`}</td>`,
    `<td class="nowrap">${column ? nulls(column, rows) : '<span class="soft">not read</span>'}</td>`,
    `<td>${column ? escapeHtml(range(column)) : ''}</td>`,
    `<td class="values">${column ? distribution(column, rows) : ''}</td>`,
    `<td>${facts.length > 0 ? `<ul class="values">${facts.join('')}</ul>` : ''}</td>`,
  ]
  return `<tr>${cells.join('')}</tr>`
}

function nulls({ nulls: count }: ColumnProfile, rows: number): string {
  if (count === 0) return '<span class="soft">none</span>'
  return `${bar(count / Math.max(1, rows), 'nulls')}${number(count)}`
}

function range({ max, maxLength, min, minLength }: ColumnProfile): string {
  if (min !== undefined && max !== undefined)
    return min === max ? `only ${printBound(min)}` : `${printBound(min)} to ${printBound(max)}`
  return minLength === undefined ? '' : printLengths(minLength, maxLength)
}

function distribution({ values = [] }: ColumnProfile, rows: number): string {
  if (values.length === 0) return ''
  const most = Math.max(...values.map((value) => value.rows), 1)
  const items = values
    .slice(0, DRAWN_VALUES)
    .map(
      (one) =>
        `<li>${bar(one.rows / most)}${escapeHtml(String(one.value))} <span class="soft">${share(one.rows, rows)}</span></li>`,
    )
  const more =
    values.length > DRAWN_VALUES ? `<li class="soft">and ${values.length - DRAWN_VALUES} more</li>` : ''
  return `<ul class="values">${items.join('')}${more}</ul>`
}

/** Draws a share between 0 and 1 as a bar; the number beside it has the same value. */
function bar(share: number, name = ''): string {
  const width = Math.max(1, Math.round(100 * share))
  return `<span class="share ${name}" aria-hidden="true"><svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect width="${width}" height="10"/></svg></span>`
}

function share(part: number, whole: number): string {
  return `${Math.round((1000 * part) / Math.max(1, whole)) / 10} %`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
