// Properties as people write them: every habit of indents, quotes, comments and lists that YAML allows, mixed at random.
import { randomOf } from '../random.ts'

/** Draws a number below another one. */
export type Random = (below: number) => number

/** A random source of which neighbouring seeds have nothing in common. */
export function seededRandom(seed: number): Random {
  const random = randomOf(Math.imul(seed + 1, 0x9e3779b1) >>> 0)
  for (let warm = 0; warm < 4; warm += 1) random(2)
  return random
}

export function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[random(items.length)] ?? items[0]
}

/** How one file is written. */
interface Hand {
  readonly random: Random
  /** How far lists stand further in than their key. */
  readonly listIndent: number
  readonly mapIndent: number
  readonly afterDash: number
  readonly quote: 'plain' | 'single' | 'double' | 'mixed'
  readonly blankLines: number
  readonly comments: number
  readonly beforeColon: string
  readonly afterColon: string
  readonly trailingBlanks: boolean
  readonly testsKey: 'tests' | 'data_tests'
  readonly keyQuotes: boolean
  /** How often, of a hundred, a list is written between brackets. */
  readonly flow: number
  readonly anchors: boolean
  readonly jinja: boolean
}

function drawHand(random: Random): Hand {
  return {
    random,
    listIndent: pick(random, [0, 2, 2, 2, 4]),
    mapIndent: pick(random, [2, 2, 2, 4]),
    afterDash: pick(random, [1, 1, 1, 1, 3]),
    quote: pick(random, ['plain', 'single', 'double', 'mixed']),
    blankLines: pick(random, [0, 0, 1, 1, 2]),
    comments: pick(random, [0, 10, 40]),
    beforeColon: random(12) === 0 ? ' ' : '',
    afterColon: pick(random, [' ', ' ', ' ', '   ', '\t']),
    trailingBlanks: random(6) === 0,
    testsKey: pick(random, ['tests', 'data_tests']),
    keyQuotes: random(15) === 0,
    flow: pick(random, [0, 15, 60]),
    anchors: random(8) === 0,
    jinja: random(3) === 0,
  }
}

/** One file: text with its own line ends, and a byte order mark where a hand leaves one. */
export function writeYaml(seed: number): string {
  const random = seededRandom(seed)
  const hand = drawHand(random)
  const lines = [
    ...pick(random, [
      ['version: 2'],
      ['version: 2', ''],
      ['---', 'version: 2'],
      [],
      ['# made by hand', 'version: 2', ''],
    ]),
    ...(hand.anchors ? ANCHORS : []),
    ...pick(random, [writeModels, writeSources, writeBoth, writeBoth])(hand),
    ...pick(random, [
      [],
      [],
      [],
      ['', 'macros:', '  - name: cents', '    description: Divides'],
      ['', '# the end', ''],
      ['...'],
    ]),
  ]
  const text = lines.map((line) => (hand.trailingBlanks && random(8) === 0 ? `${line}  ` : line)).join('\n')
  const ended = `${text}${pick(random, ['\n', '\n', '\n', '', '\n\n'])}`
  const marked = random(12) === 0 ? `\uFEFF${ended}` : ended
  return random(5) === 0 ? marked.replaceAll('\n', '\r\n') : marked
}

/** Both are used: by tests, and by columns that merge them. */
const ANCHORS = ['x-key: &key', '  - unique', '  - not_null', 'x-column: &column', '  data_type: text', '']

function writeBoth(hand: Hand): readonly string[] {
  const banner = pick(hand.random, [[], [], ['# ════', '# MODELS', '# ════', '']])
  return [...writeSources(hand), '', ...banner, ...writeModels(hand)]
}

function writeModels(hand: Hand): readonly string[] {
  const list = pick(hand.random, ['models', 'models', 'models', 'seeds', 'snapshots'])
  const items = Array.from({ length: 1 + hand.random(3) }, (_, index) => writeOwner(hand, `m${index}_orders`))
  return writeList(hand, list, items)
}

function writeSources(hand: Hand): readonly string[] {
  const { random } = hand
  const sources = Array.from({ length: 1 + random(2) }, (_, index) => {
    const tables = Array.from({ length: random(4) }, (_, table) => writeOwner(hand, `t${table}_lines`))
    return [
      pair(hand, 'name', `s${index}`),
      ...(random(2) === 0 ? [pair(hand, 'schema', 'raw_shop')] : []),
      ...(random(3) === 0 ? [`database: "{{ env_var('DB', 'raw') }}"`] : []),
      ...(random(3) === 0 ? describe(hand) : []),
      ...(tables.length > 0
        ? writeList(hand, 'tables', tables)
        : pick(random, [[], ['tables:'], ['tables: []']])),
    ]
  })
  return writeList(hand, 'sources', sources)
}

/** A model or table: keys in any order. */
function writeOwner(hand: Hand, name: string): readonly string[] {
  const { random } = hand
  const head = pair(hand, 'name', name)
  const columns = writeColumns(hand)
  const tests = pick(random, ['none', 'none', 'none', 'before', 'behind'])
  const parts = [
    ...(random(4) === 0 ? [] : [describe(hand)]),
    ...(random(4) === 0 ? [writeMap(hand, 'config', ['materialized: view', 'tags: [daily, "raw"]'])] : []),
    ...(tests === 'before' ? [writeTests(hand)] : []),
  ]
  const isBefore = random(8) === 0
  const order = [...(isBefore ? parts.splice(0, 1) : []), [head], ...parts]
  const behind = [
    ...(tests === 'behind' ? writeTests(hand) : []),
    ...(random(7) === 0 ? ['meta: {owner: "a, b"}'] : []),
  ]
  const all = [...order, columns, behind].filter((part) => part.length > 0)
  return all.flatMap((part, index) => [...(index > 0 ? between(hand) : []), ...part])
}

/** What people put between the keys of an entry: blank lines, perhaps with blanks in them, and comments. */
function between({ comments, random }: Hand): readonly string[] {
  if (random(100) >= comments / 2) return []
  return pick(random, [[''], ['    '], ['# a word about what follows'], ['', '# ─── columns ───']])
}

function writeColumns(hand: Hand): readonly string[] {
  const { random } = hand
  const names = ['id', 'Amount', 'status', '"quoted col"', 'paid_on', 'city'].slice(0, random(6))
  if (names.length === 0)
    return pick(random, [[], [], ['columns:'], ['columns: []'], ['columns:  # to do'], ['columns: ~']])
  if (random(100) < hand.flow / 8)
    return [`columns: [${names.map((name) => `{name: ${name}, ${hand.testsKey}: [not_null]}`).join(', ')}]`]
  const anchor = hand.anchors && random(6) === 0 ? ` &columns_${random(100_000)}` : ''
  const items = names.map((name) => writeColumn(hand, name))
  return writeList(hand, `columns`, items, anchor)
}

function writeColumn(hand: Hand, name: string): readonly string[] {
  const { random } = hand
  if (random(100) < hand.flow / 3)
    return [
      pick(random, [`{name: ${name}}`, `{ name: ${name}, description: "The ${name.replaceAll('"', '')}" }`]),
    ]
  return [
    pair(hand, 'name', name),
    ...(random(3) === 0 ? [] : describe(hand)),
    ...(random(4) === 0
      ? [pair(hand, 'data_type', pick(random, ['text', 'numeric(12, 2)', 'timestamp']))]
      : []),
    ...(random(2) === 0 ? writeTests(hand) : []),
    ...(hand.anchors && random(5) === 0 ? ['<<: *column'] : []),
  ]
}

function writeTests(hand: Hand): readonly string[] {
  const { random, testsKey } = hand
  if (hand.anchors && random(5) === 0) return [`${testsKey}: *key`]
  if (random(100) < hand.flow)
    return [
      `${testsKey}: ${pick(random, ['[unique, not_null]', '[ unique ]', '["not_null"]', '[]', '[accepted_values: {values: [a, b]}]', "[ 'unique' , not_null ]"])}`,
    ]
  if (random(100) < hand.flow / 4)
    return pick(random, [
      [`${testsKey}: [`, '  unique,', '  not_null # why', ']'],
      [`${testsKey}:`, '  [unique, not_null]'],
      [`${testsKey}: [unique,`, '  not_null]'],
    ])
  const inner = ' '.repeat(hand.mapIndent * 2)
  const items = pick(random, [
    [['not_null']],
    [['unique'], ['not_null']],
    [['"not_null"'], ['accepted_values:', `${inner}values: ['a', "b", 3]`]],
    [['relationships:', `${inner}to: ref('customers')`, `${inner}field: id`]],
    [['not_null:', `${inner}config:`, `${inner}  severity: warn`, `${inner}  where: "amount > 0"`]],
    [['accepted_values:', `${inner}arguments:`, `${inner}  values:`, `${inner}    - a`, `${inner}    - b`]],
  ])
  return writeList(hand, testsKey, items)
}

function writeMap({ mapIndent }: Hand, key: string, lines: readonly string[]): readonly string[] {
  return [`${key}:`, ...lines.map((line) => ' '.repeat(mapIndent) + line)]
}

/** A list of dashes, with the comments and blank lines that people put between its items. */
function writeList(
  hand: Hand,
  key: string,
  items: readonly (readonly string[])[],
  anchor = '',
): readonly string[] {
  const { random } = hand
  const indent = ' '.repeat(hand.listIndent)
  const blank = Array.from({ length: random(3) === 0 ? 0 : hand.blankLines }, () => '')
  const isBig = items.some((lines) => lines.length > 2)
  const written = items.flatMap((lines, index) => [
    ...(index > 0 && isBig ? blank : []),
    ...comment(hand, indent),
    ...dashed(hand, lines, indent),
    ...(random(100) < hand.comments / 4 ? [`${indent}# - name: gone`] : []),
  ])
  return [`${key}:${anchor}${trailing(hand)}`, ...written]
}

function dashed({ afterDash }: Hand, lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line, index) => {
    if (index === 0) return `${indent}-${' '.repeat(afterDash)}${line}`
    return line === '' ? '' : `${indent} ${' '.repeat(afterDash)}${line}`
  })
}

function comment({ comments, random }: Hand, indent: string): readonly string[] {
  return random(100) < comments / 2
    ? [pick(random, [`${indent}# a word`, '# at the edge', `${indent}    # further in`])]
    : []
}

function trailing({ comments, random }: Hand): string {
  return random(100) < comments / 2 ? pick(random, ['  # why', ' # { not: [a map', '\t# tab']) : ''
}

function pair(hand: Hand, key: string, value: string): string {
  const name = hand.keyQuotes ? `"${key}"` : key
  return `${name}${hand.beforeColon}:${hand.afterColon}${value}${trailing(hand)}`
}

const PROSE = [
  'The orders of the shop',
  'It says "yes", and it is paid',
  'Ends with a hash tag #1',
  'Währung: kept äs is 💶',
  'See https://example.com/a?b=c',
] as const

/** A description in any of the styles of a scalar. */
function describe(hand: Hand): readonly string[] {
  const { random } = hand
  const prose = pick(random, PROSE)
  const inner = ' '.repeat(hand.mapIndent)
  const jinja = hand.jinja && random(3) === 0
  if (jinja)
    return [
      pick(random, [`description: "{{ doc('orders') }}"`, `description: see {{ doc('orders') }} there`]),
    ]
  switch (random(9)) {
    case 0:
      return pick(random, [['description:'], [`description: ''`], ['description: ""'], ['description: ~']])
    case 1:
      return [`description: >${pick(random, ['', '-', '+'])}`, `${inner}${prose}`, `${inner}folded here`]
    case 2:
      return [
        `description: |${pick(random, ['', '-', '+'])}`,
        `${inner}${prose}`,
        '',
        `${inner}  * a list`,
        `${inner}# no comment`,
      ]
    case 3:
      return ['description: Words that go on', `${inner}over two lines`]
    case 4:
      return ['description: "Quoted words that go on', `${inner}over two lines"`]
    default:
      return [`description:${hand.afterColon}${quoted(hand, prose)}${trailing(hand)}`]
  }
}

function quoted({ quote, random }: Hand, prose: string): string {
  const kind = quote === 'mixed' ? pick(random, ['plain', 'single', 'double']) : quote
  const mustQuote = /: | #/.test(prose)
  if (kind === 'single' || (kind === 'plain' && mustQuote)) return `'${prose.replaceAll("'", "''")}'`
  return kind === 'double' ? JSON.stringify(prose) : prose
}
