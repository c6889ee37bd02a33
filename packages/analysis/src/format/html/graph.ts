import { escapeHtml, compareText } from '@stagecraft/spec'
import type { Finding } from '../../finding.ts'
import type { Lineage, LineageEdge, LineageNode } from '../../lineage/lineage.ts'
import { SEVERITIES, type Severity } from '../../vocabulary.ts'
import { count } from './markup.ts'

/** The most nodes of a graph that is readable at a glance. */
const MOST_NODES = 36

const WEIGHTS = { error: 100, warning: 10, info: 1 } as const

interface GraphOptions {
  readonly findings: readonly Finding[]
  /** The anchor of a file's findings in the page. */
  readonly anchorOf: (path: string) => string
}

/** Draws the part of a project that has findings: the worst models with their neighbours. */
export function drawGraph(lineage: Lineage, { anchorOf, findings }: GraphOptions): string {
  const worst = worstByPath(findings)
  const shown = chooseNodes(lineage, findings)
  if (shown.length === 0) return '<p>No model has a finding.</p>'
  const ids = new Set(shown.map(({ id }) => id))
  const edges = lineage.edges.filter(({ from, to }) => ids.has(from) && ids.has(to))
  const columns = arrange(shown, edges)
  const places = placesOf(columns)
  const height = Math.max(...columns.map((column) => column.length)) * ROW + MARGIN
  const width = columns.length * COLUMN + MARGIN
  const rest = lineage.nodes.length - shown.length
  const boxes = shown.map((node) => drawBox(node, { place: places.get(node.id), worst, anchorOf }))
  return `<div class="scroll" tabindex="0" role="region" aria-label="Graph of the models with findings">
<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="${count(shown.length, 'node')}, each to the right of what it reads">
${edges.map((edge) => drawEdge(edge, places)).join('\n')}
${boxes.join('\n')}
</svg></div>
<p class="soft">Each node is to the right of what it reads. The colour of its frame shows the worst finding in the file.${rest > 0 ? ` ${count(rest, 'more node')} ${rest === 1 ? 'is' : 'are'} left out.` : ''}</p>`
}

function worstByPath(findings: readonly Finding[]): ReadonlyMap<string, Severity> {
  const paths = Map.groupBy(findings, ({ path }) => path)
  return new Map(
    [...paths].map(([path, own]) => [
      path,
      SEVERITIES.find((severity) => own.some((one) => one.severity === severity)) ?? 'info',
    ]),
  )
}

/** A file of properties declares many nodes, so its findings do not count for each of them. */
function isOfProperties(kind: LineageNode['kind']): boolean {
  return kind === 'source' || kind === 'exposure'
}

/** The most neighbours without findings on each side of a node. */
const MOST_NEIGHBOURS = 2

/** Chooses the nodes with the worst findings, then their neighbours, shared ones first, up to the limit. */
function chooseNodes({ edges, nodes }: Lineage, findings: readonly Finding[]): readonly LineageNode[] {
  const weights = new Map<string, number>()
  for (const { path, severity } of findings) weights.set(path, (weights.get(path) ?? 0) + WEIGHTS[severity])
  const weightOf = ({ kind, path }: LineageNode): number =>
    isOfProperties(kind) ? 0 : (weights.get(path) ?? 0)
  const starts = nodes
    .filter((node) => weightOf(node) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a) || compareText(a.id, b.id))
    .slice(0, MOST_NODES - MOST_NODES / 3)
  const chosen = new Set(starts.map(({ id }) => id))
  const links = new Map<string, number>()
  for (const { from, to } of edges)
    for (const [near, far] of [
      [from, to],
      [to, from],
    ] as const)
      if (chosen.has(near) && !chosen.has(far)) links.set(far, (links.get(far) ?? 0) + 1)
  const byLinks = (a: string, b: string): number =>
    (links.get(b) ?? 0) - (links.get(a) ?? 0) || compareText(a, b)
  const neighbours = new Set(
    starts.flatMap(({ id }) => [
      ...nextTo(id, edges, ['to', 'from'])
        .filter((one) => links.has(one))
        .toSorted(byLinks)
        .slice(0, MOST_NEIGHBOURS),
      ...nextTo(id, edges, ['from', 'to'])
        .filter((one) => links.has(one))
        .toSorted(byLinks)
        .slice(0, MOST_NEIGHBOURS),
    ]),
  )
  for (const id of [...neighbours].toSorted(byLinks).slice(0, MOST_NODES - chosen.size)) chosen.add(id)
  return nodes.filter(({ id }) => chosen.has(id))
}

type End = 'from' | 'to'

function nextTo(
  id: string,
  edges: readonly LineageEdge[],
  [near, far]: readonly [End, End],
): readonly string[] {
  return [...new Set(edges.filter((edge) => edge[near] === id).map((edge) => edge[far]))]
}

const COLUMN = 232
const ROW = 40
const MARGIN = 16
const BOX = { width: 196, height: 28 } as const

/** Places each node to the right of everything it reads. Cycles are cut where they are met. */
function arrange(
  nodes: readonly LineageNode[],
  edges: readonly LineageEdge[],
): readonly (readonly LineageNode[])[] {
  const parents = Map.groupBy(edges, ({ to }) => to)
  const depths = new Map(nodes.map(({ id }) => [id, 0]))
  for (let pass = 0; pass < nodes.length; pass += 1) {
    let isDone = true
    for (const { from, to } of edges) {
      const depth = (depths.get(from) ?? 0) + 1
      if (depth <= (depths.get(to) ?? 0) || depth >= nodes.length) continue
      depths.set(to, depth)
      isDone = false
    }
    if (isDone) break
  }
  const used = [...new Set(depths.values())].toSorted((a, b) => a - b)
  const columns: LineageNode[][] = []
  const rows = new Map<string, number>()
  for (const depth of used) {
    const own = nodes.filter(({ id }) => depths.get(id) === depth)
    const middleOf = ({ id }: LineageNode): number => {
      const above = (parents.get(id) ?? []).flatMap(({ from }) => rows.get(from) ?? [])
      return above.length === 0
        ? Number.MAX_SAFE_INTEGER
        : above.reduce((sum, row) => sum + row, 0) / above.length
    }
    const sorted = own.toSorted((a, b) => middleOf(a) - middleOf(b) || compareText(a.name, b.name))
    for (const [row, { id }] of sorted.entries()) rows.set(id, row)
    columns.push(sorted)
  }
  return columns
}

interface Point {
  readonly x: number
  readonly y: number
}

function placesOf(columns: readonly (readonly LineageNode[])[]): ReadonlyMap<string, Point> {
  const tallest = Math.max(...columns.map((column) => column.length))
  return new Map(
    columns.flatMap((column, across) =>
      column.map((node, down) => {
        const offset = ((tallest - column.length) * ROW) / 2
        return [node.id, { x: MARGIN / 2 + across * COLUMN, y: MARGIN / 2 + offset + down * ROW }] as const
      }),
    ),
  )
}

function drawEdge({ from, to }: LineageEdge, places: ReadonlyMap<string, Point>): string {
  const [start, end] = [places.get(from), places.get(to)]
  if (!start || !end) return ''
  const [x1, y1] = [start.x + BOX.width, start.y + BOX.height / 2]
  const [x2, y2] = [end.x, end.y + BOX.height / 2]
  const bend = Math.max(18, (x2 - x1) / 2)
  return `<path class="edge" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`
}

interface BoxOptions extends Pick<GraphOptions, 'anchorOf'> {
  readonly place: Point | undefined
  readonly worst: ReadonlyMap<string, Severity>
}

/** The longest name that fits in a box. */
const LONGEST = 25

function drawBox(
  { kind, name, path }: LineageNode,
  { anchorOf, place = { x: 0, y: 0 }, worst }: BoxOptions,
): string {
  const severity = isOfProperties(kind) ? undefined : worst.get(path)
  const short = name.length > LONGEST ? `${name.slice(0, 15)}…${name.slice(15 - LONGEST + 1)}` : name
  const title = `${kind} ${name}${severity ? `, worst finding: ${severity}` : ''}`
  const round = kind === 'model' ? 5 : 14
  const shape = `<title>${escapeHtml(title)}</title><rect class="box ${severity ?? ''}" x="${place.x}" y="${place.y}" width="${BOX.width}" height="${BOX.height}" rx="${round}"/><text x="${place.x + 10}" y="${place.y + 18.5}">${escapeHtml(short)}</text>`
  return severity === undefined
    ? `<g role="img" aria-label="${escapeHtml(title)}">${shape}</g>`
    : `<a href="#${anchorOf(path)}" aria-label="${escapeHtml(title)}">${shape}</a>`
}
