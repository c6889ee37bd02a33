import type { Figures, Score } from './figures.ts'

interface Field {
  /** What fields of the same group have in common. */
  readonly group: string
  readonly title: string
  readonly width: number
  readonly text: (figures: Figures) => string
}

const WIDTH_OF_NAME = 30

const FIELDS: readonly Field[] = [
  field('', 'tables', ({ tables }) => tables),
  field('columns', 'all', ({ columns }) => columns, 7),
  // Cut, not rounded: only all of them are 100 %.
  field('columns', 'kept', ({ columns, kept }) => `${Math.floor((kept / columns) * 1000) / 10} %`, 7),
  field('columns', 'renamed', ({ renamed }) => renamed),
  field('descriptions', 'model', ({ descriptions }) => descriptions.model),
  field('descriptions', 'rules', ({ descriptions }) => descriptions.rules),
  field('descriptions', 'none', ({ descriptions }) => descriptions.none),
  field('tests', 'proposed', ({ tests }) => tests.proposed),
  field('tests', 'refused', ({ tests }) => tests.refused),
  field('tests', 'accepted', ({ tests }) => tests.accepted),
  field('tests', 'declared', ({ tests }) => tests.declared),
  field('tests', 'other', ({ tests }) => tests.other),
  field('keys: hits/proposed/true', 'unique', ({ unique }) => printScore(unique), 13),
  field('keys: hits/proposed/true', 'relationships', ({ references }) => printScore(references), 13),
  field('backend', 'repairs', ({ repairs }) => repairs),
  field('backend', 'fallbacks', ({ fallbacks }) => fallbacks),
  field('backend', 'tokens', ({ isIncomplete, tokens }) => `${tokens}${isIncomplete ? '?' : ''}`, 9),
  field('backend', 'calls', ({ calls }) => calls),
]

function field(
  group: string,
  title: string,
  text: (figures: Figures) => string | number,
  width = title.length,
): Field {
  return { group, title, width: Math.max(width, 5), text: (figures) => String(text(figures)) }
}

/** Two lines that say what stands below them. */
export function printHeader(): string {
  const groups = [...Map.groupBy(FIELDS, ({ group }) => group)].map(([group, fields]) => {
    const width = fields.reduce((sum, field) => sum + field.width + 2, -2)
    return group.padStart((width + group.length) / 2).padEnd(width)
  })
  const titles = FIELDS.map(({ title, width }) => title.padStart(width))
  return [line('', groups).trimEnd(), line('', [...titles, 'violations'])].join('\n')
}

export function printFigures(name: string, figures: Figures): string {
  const cells = FIELDS.map(({ text, width }) => text(figures).padStart(width))
  return line(name, [...cells, printViolations(figures)])
}

/** Why tables fell back to the plan of the rules, one line for each reason. */
export function printFailures({ failures }: Figures): readonly string[] {
  return Object.entries(failures).map(([reason, count]) => `  fallback, ${count}x: ${reason}`)
}

function line(name: string, cells: readonly string[]): string {
  return [name.padEnd(WIDTH_OF_NAME), ...cells].join('  ')
}

function printScore({ hits, proposed, truth }: Score): string {
  return `${hits}/${proposed}/${truth}`
}

function printViolations({ violations }: Figures): string {
  const counts = Object.entries(violations).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return counts.map(([code, count]) => `${code} ${count}`).join(', ') || '-'
}
