import type { Inference } from '@stagecraft/core/inference'
import { type CatalogTable, escapeHtml } from '@stagecraft/spec'

/** The maximum number of tables in a readable diagram. */
const MOST_TABLES = 60
/** The columns of a box: keys and references, which the lines connect. */
const MOST_LINES = 8

const WIDTH = 210
const GAP = { x: 90, y: 22 }
const LINE = 18

interface Box {
  readonly table: CatalogTable
  readonly id: string
  readonly columns: readonly string[]
  readonly x: number
  readonly y: number
  readonly height: number
}

/** Draws tables that refer to each other, parents on the left. Empty without references. */
export function drawDiagram(tables: readonly CatalogTable[], inference: Inference): string {
  const lines = inference.references.map(({ child, parent }) => ({
    from: child.table.name,
    to: parent.table.name,
    column: child.columns.join(', '),
  }))
  const linked = new Set(lines.flatMap(({ from, to }) => (from === to ? [] : [from, to])))
  const drawn = tables.flatMap((table, at) => (linked.has(table.name) ? [{ table, id: `table-${at}` }] : []))
  if (drawn.length === 0 || drawn.length > MOST_TABLES) return note(drawn.length)
  const boxes = place(drawn, lines, inference)
  const byName = new Map(boxes.map((box) => [box.table.name, box]))
  const width = Math.max(...boxes.map(({ x }) => x)) + WIDTH + 20
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + 20
  const edges = lines.flatMap(({ column, from, to }) => {
    const [child, parent] = [byName.get(from), byName.get(to)]
    return child && parent && child !== parent ? [drawEdge(child, parent, column)] : []
  })
  const label = `${drawn.length} tables and ${edges.length} references between them`
  return `<section id="diagram" aria-labelledby="diagram-title"><h2 id="diagram-title">References</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Diagram of references">
<svg role="group" aria-label="${label}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${edges.join('\n')}
${boxes.map(drawBox).join('\n')}
</svg></div></section>`
}

function note(count: number): string {
  if (count === 0) return ''
  const text = `${count} tables refer to each other: too many to draw. <code>--format mermaid</code> and <code>--format dbml</code> print them all.`
  return `<section id="diagram" aria-labelledby="diagram-title"><h2 id="diagram-title">References</h2><p>${text}</p></section>`
}

/** Places each table one step to the right of its farthest parent, near its parents if there is room. */
function place(
  drawn: readonly { readonly table: CatalogTable; readonly id: string }[],
  lines: readonly { readonly from: string; readonly to: string }[],
  { keys, references }: Inference,
): readonly Box[] {
  const depths = depthsOf(
    drawn.map(({ table }) => table.name),
    lines,
  )
  const bottoms: number[] = []
  return drawn
    .toSorted((a, b) => (depths.get(a.table.name) ?? 0) - (depths.get(b.table.name) ?? 0))
    .map(({ id, table }): Box => {
      const depth = depths.get(table.name) ?? 0
      const named = new Set([
        ...keys.flatMap((key) => (key.table.name === table.name ? key.columns : [])),
        ...references.flatMap(({ child }) => (child.table.name === table.name ? child.columns : [])),
      ])
      const columns = table.columns
        .map(({ name }) => name)
        .filter((name) => named.has(name))
        .slice(0, MOST_LINES)
      const height = 30 + columns.length * LINE
      const y = bottoms[depth] ?? 10
      bottoms[depth] = y + height + GAP.y
      return { table, id, columns, x: 10 + depth * (WIDTH + GAP.x), y, height }
    })
}

/** Returns the length of the longest path to a table without parents; cycles are cut. */
function depthsOf(
  names: readonly string[],
  lines: readonly { readonly from: string; readonly to: string }[],
): ReadonlyMap<string, number> {
  const parents = Map.groupBy(lines, ({ from }) => from)
  const depths = new Map<string, number>()
  const visit = (name: string, path: ReadonlySet<string>): number => {
    const known = depths.get(name)
    if (known !== undefined) return known
    const inside = new Set([...path, name])
    const above = (parents.get(name) ?? [])
      .filter(({ to }) => !inside.has(to))
      .map(({ to }) => visit(to, inside) + 1)
    const depth = Math.max(0, ...above)
    depths.set(name, depth)
    return depth
  }
  for (const name of names) visit(name, new Set())
  return depths
}

function drawBox({ columns, height, id, table, x, y }: Box): string {
  const rows = columns.map(
    (name, at) => `<text x="${x + 10}" y="${y + 38 + at * LINE}">${escapeHtml(cut(name))}</text>`,
  )
  return `<a href="#${id}"><rect class="box" x="${x}" y="${y}" width="${WIDTH}" height="${height}" rx="6"/><text class="title" x="${x + 10}" y="${y + 19}">${escapeHtml(cut(table.name))}</text>${rows.join('')}</a>`
}

function drawEdge(child: Box, parent: Box, column: string): string {
  const start = { x: parent.x + WIDTH, y: parent.y + 15 }
  const at = child.columns.findIndex((name) => column.split(', ').includes(name))
  const end = { x: child.x, y: child.y + 34 + Math.max(0, at) * LINE }
  const bend = Math.max(30, Math.abs(end.x - start.x) / 2)
  return `<path class="edge" d="M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}"/>`
}

/** The number of letters that fit into a box. */
function cut(name: string): string {
  return name.length > 28 ? `${name.slice(0, 27)}…` : name
}
