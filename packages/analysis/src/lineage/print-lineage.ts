import { escapeForTerminal, escapeInvisible } from '@stagecraft/spec'
import type { Impact, LineageAround, LineageEdge, LineageGap, LineageNode } from './lineage.ts'

export interface PrintLineageOptions {
  /** The prefix of the project's paths. @default none */
  readonly prefix?: string
  /** Version of Stagecraft. */
  readonly version: string
}

/** Prints a lineage for people: a tree of its inputs above, and a tree of its readers below. */
export function printLineageText(lineage: LineageAround, { prefix = '' }: PrintLineageOptions): string {
  const { direction, edges, gaps, impact, nodes, start } = lineage
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const above = Map.groupBy(edges, ({ to }) => to)
  const below = Map.groupBy(edges, ({ from }) => from)
  const up = (id: string): readonly Branch[] =>
    (above.get(id) ?? []).flatMap(({ from }) => branch(byId.get(from), (node) => node))
  const down = (id: string): readonly Branch[] =>
    (below.get(id) ?? []).flatMap((edge) => branch(byId.get(edge.to), () => edge))
  const lines = [
    `${titleOf(start)}  ${prefix}${start.path}:${start.line}`,
    ...(direction === 'down' ? [] : ['reads', ...printTree(up, { prefix, start: start.id })]),
    ...(direction === 'up' ? [] : ['is read by', ...printTree(down, { prefix, start: start.id })]),
    ...(impact ? printImpact(start, impact, prefix) : []),
    ...printGaps(gaps),
  ]
  return `${lines.map((line) => escapeForTerminal(line.replaceAll('\n', ' '))).join('\n')}\n`
}

interface Branch {
  readonly node: LineageNode
  readonly place: Pick<LineageEdge, 'path' | 'line'>
}

function branch(
  node: LineageNode | undefined,
  placeOf: (node: LineageNode) => Branch['place'],
): readonly Branch[] {
  return node ? [{ node, place: placeOf(node) }] : []
}

function titleOf({ column, kind, name }: LineageNode): string {
  return `${kind} ${name}${column === undefined ? '' : `.${column}`}`
}

/** Prints the neighbours of each node below it; each node appears once. */
function printTree(
  next: (id: string) => readonly Branch[],
  { prefix, start }: { readonly prefix: string; readonly start: string },
): readonly string[] {
  const seen = new Set([start])
  const lines: string[] = []
  const waiting = next(start)
    .map((one) => ({ ...one, depth: 1 }))
    .toReversed()
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const { depth, node, place } = item
    const isKnown = seen.has(node.id)
    const children = next(node.id)
    const more = isKnown && children.length > 0 ? ' (as above)' : ''
    lines.push(`${'  '.repeat(depth)}${titleOf(node)}  ${prefix}${place.path}:${place.line}${more}`)
    seen.add(node.id)
    if (!isKnown) waiting.push(...children.map((one) => ({ ...one, depth: depth + 1 })).toReversed())
  }
  return lines.length > 0 ? lines : ['  nothing']
}

function printImpact(start: LineageNode, { below, breaks }: Impact, prefix: string): readonly string[] {
  const models = new Set(breaks.map(({ id }) => id)).size
  const more =
    below.length > 0
      ? `; ${count(below.length, 'more')} ${below.length === 1 ? 'builds' : 'build'} on it`
      : ''
  return [
    `without ${titleOf(start)}`,
    `  ${models === 0 ? 'no model reads it by name' : `breaks ${count(models, 'model')}${more}`}`,
    ...breaks.map(({ column, line, name, path }) => `  ${prefix}${path}:${line}  ${name} reads ${column}`),
    ...below.map((node) => `  ${prefix}${node.path}:${node.line}  ${titleOf(node)} builds on it`),
  ]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 || noun === 'more' ? '' : 's'}`
}

function printGaps(gaps: readonly LineageGap[]): readonly string[] {
  return gaps.length === 0 ? [] : ['not known', ...gaps.map(({ name, reason }) => `  ${name}: ${reason}`)]
}

/** Prints a lineage for programs. */
export function printLineageJson(
  lineage: LineageAround,
  { prefix = '', version }: PrintLineageOptions,
): string {
  const placed = <One extends { readonly path: string }>(one: One): One => ({
    ...one,
    path: `${prefix}${one.path}`,
  })
  const { direction, edges, gaps, impact, nodes, start } = lineage
  const answer = {
    stagecraft: version,
    start: start.id,
    direction,
    nodes: nodes.map(placed),
    edges: edges.map(placed),
    ...(impact && { impact: { breaks: impact.breaks.map(placed), below: impact.below.map(placed) } }),
    unknown: gaps,
  }
  return `${JSON.stringify(answer, null, 2)}\n`
}

const SHAPES: Readonly<Record<LineageNode['kind'], readonly [open: string, close: string]>> = {
  source: ['[(', ')]'],
  seed: ['[(', ')]'],
  snapshot: ['[[', ']]'],
  model: ['[', ']'],
  exposure: ['([', '])'],
}

/** Prints a lineage as a flowchart of Mermaid, which GitHub and GitLab draw in Markdown. */
export function printLineageMermaid({ edges, gaps, nodes, start }: LineageAround): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  return [
    'flowchart LR',
    ...nodes.map((node) => {
      const [open, close] = SHAPES[node.kind]
      const label = node.column === undefined ? node.name : `${node.name}.${node.column}`
      return `  ${names.get(node.id)}${open}"${escapeLabel(label)}"${close}`
    }),
    ...edges.map(({ from, to }) => `  ${names.get(from)} --> ${names.get(to)}`),
    `  style ${names.get(start.id)} stroke-width:3px`,
    ...gaps.map(({ name, reason }) => `  %% not known: ${oneLine(`${name}: ${reason}`)}`),
    '',
  ].join('\n')
}

/** Prints a comment of Mermaid, which must be one line, and whose braces would make it a directive. */
function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll(/[\p{Cc}{}]+/gu, ' ')
}

/**
 * Mermaid reads HTML and Markdown in labels, so all but letters, digits and simple marks are escaped as code points.
 */
function escapeLabel(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_. -]/gu, (character) => `#${character.codePointAt(0) ?? 0};`)
}
