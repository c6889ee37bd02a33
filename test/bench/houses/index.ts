import { buildHouse, type House, type HouseColumn, type HouseProject, plural } from './house.ts'

const snake = (words: readonly string[]): string => words.join('_')
const camel = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')

/** The words of a moment or a day without those that only say so. */
function event(words: readonly string[], endings: readonly string[]): readonly string[] {
  const kept = words.filter((word, index) => index < words.length - 1 || !endings.includes(word))
  return kept.length === 0 ? words : kept
}

const TIMES = ['at', 'time', 'timestamp', 'date', 'datetime', 'on']

/** Follows the guide of dbt Labs. */
const guide: House = {
  name: 'guide',
  databases: { sakila: 'rental', chinook: 'music' },
  table: (entity) => entity,
  column: snake,
  staged({ kind, words }, { entity }) {
    if (kind === 'id') return `${entity}_id`
    if (snake(words) === 'last_update') return 'updated_at'
    if (kind === 'boolean')
      return words[0] === 'is' ? snake(words) : `is_${snake(words).replace(/bool$/, '')}`
    return snake(words)
  },
  model: ({ entity }, source) => `stg_${source}__${plural(entity)}`,
  folder: (source) => `models/staging/${source}`,
  yaml: (source) => `_${source}__models.yml`,
  sql: {
    upper: false,
    leadingCommas: false,
    indent: 4,
    ctes: ['source', 'renamed'],
    final: 'select * from renamed',
  },
}

/** Puts the entity in front of every column. */
const entityFirst: House = {
  name: 'entity_first',
  databases: { shopify: 'shop' },
  table: (entity, source) => `raw__${source}__app__${plural(entity)}`,
  column: snake,
  staged({ kind, words }, { entity }) {
    const last = entity.split('_').at(-1) ?? ''
    if (kind === 'reference') return snake(words)
    if (words[0]?.startsWith('_') || words[0] === '') return snake(words)
    if (kind === 'timestamp' || kind === 'date') return `${last}_${snake(event(words, TIMES))}_on`
    if (kind === 'boolean')
      return `${last}_${words[0] === 'is' || words[0] === 'has' ? '' : 'is_'}${snake(words)}`
    return words[0] === last ? snake(words) : `${last}_${snake(words)}`
  },
  model: ({ raw }) => `stg__${raw.replace('raw__', '')}`,
  folder: (source) => `models/staging/${source}`,
  yaml: (source) => `_stg_${source}__models.yml`,
  sql: {
    upper: false,
    leadingCommas: true,
    indent: 4,
    ctes: ['source', 'cleaned'],
    final: 'select * from cleaned',
  },
}

/** Ends names in what they hold. */
const keyed: House = {
  name: 'keyed',
  databases: { northwind: 'sales', oracle_hr: 'people' },
  table: (entity) => plural(entity),
  column: camel,
  staged({ kind, words }, { entity }) {
    if (kind === 'id') return `${entity}_key`
    if (kind === 'reference') return `${snake(words.slice(0, -1))}_key`
    if (kind === 'timestamp') return `${snake(event(words, TIMES))}_ts`
    if (kind === 'date') return `${snake(event(words, TIMES))}_dt`
    if (kind === 'boolean') return `${snake(words)}_flag`
    return snake(words)
  },
  model: ({ entity }, source) => `stg_${source}_${entity}`,
  folder: (source) => `models/stage/${source}`,
  yaml: (_, model) => `${model}.yml`,
  sql: {
    upper: true,
    leadingCommas: false,
    indent: 2,
    ctes: ['src', 'final'],
    final: 'SELECT * FROM final',
    config: "materialized='view'",
  },
}

const SHORT: Readonly<Record<string, string>> = {
  address: 'addr',
  amount: 'amt',
  city: 'cty',
  country: 'ctry',
  customer: 'cust',
  date: 'dt',
  description: 'descr',
  employee: 'emp',
  first: 'fst',
  last: 'lst',
  name: 'nm',
  number: 'no',
  order: 'ord',
  price: 'prc',
  product: 'prod',
  quantity: 'qty',
  status: 'sts',
  unit: 'unt',
}

/** Spells out the abbreviations of an old system, whose columns begin with letters of their table. */
const erp: House = {
  name: 'erp',
  databases: { oracle_co: 'orders', oracle_hr: 'hr', northwind: 'nw' },
  table: (entity) => `T_${entity.toUpperCase()}`,
  column: (words, entity) =>
    `${entity.slice(0, 2)}_${snake(words.map((word) => SHORT[word] ?? word))}`.toUpperCase(),
  staged({ kind, words }, { entity }) {
    if (kind === 'id') return `${entity}_id`
    return snake(words)
  },
  model: ({ entity }, source) => `stg_${source}__${entity}`,
  folder: (source) => `models/staging/${source}`,
  yaml: () => 'schema.yml',
  sql: {
    upper: false,
    leadingCommas: true,
    indent: 4,
    ctes: ['source', 'renamed'],
    final: 'select * from renamed',
  },
}

/** Changes nothing but the case. */
const asStored: House = {
  name: 'as_stored',
  databases: { chinook: 'chinook', northwind: 'northwind' },
  table: (entity) => camel(entity.split('_')),
  column: camel,
  staged: ({ raw }) => raw.toLowerCase(),
  model: ({ raw }, source) => `stg_${source}__${raw.toLowerCase()}`,
  folder: () => 'models/staging',
  yaml: () => 'staging.yml',
  sql: {
    upper: true,
    leadingCommas: false,
    indent: 4,
    ctes: ['raw', 'columns'],
    final: 'SELECT * FROM columns',
  },
}

const MONEY = new Set(['amount', 'price', 'subtotal', 'total', 'tax', 'cost', 'discounts'])

/** Says units, and takes off what an extraction put in front. */
const units: House = {
  name: 'units',
  databases: { shopify: 'store', jaffle: 'cafe' },
  table: (entity) => `src_${entity}`,
  column: (words) => `fld_${snake(words)}`,
  staged({ kind, words }, { entity }) {
    if (kind === 'id') return `${entity}_id`
    if (kind === 'timestamp') return `${snake(event(words, TIMES))}_at_utc`
    if (kind === 'boolean')
      return /^(?:is|has|can)$/.test(words[0] ?? '') ? snake(words) : `is_${snake(words)}`
    if (kind === 'number' && MONEY.has(words.at(-1) ?? '')) return `${snake(words)}_usd`
    return snake(words).replace(/^_+/, '')
  },
  model: ({ entity }, source) => `stg_${source}__${entity}`,
  folder: (source) => `models/staging/stg_${source}`,
  yaml: (source) => `stg_${source}.yml`,
  sql: {
    upper: false,
    leadingCommas: false,
    indent: 2,
    ctes: ['base', 'fields'],
    final: 'select * from fields',
    casts: true,
  },
}

const TERMS: readonly (readonly [RegExp, string])[] = [
  [/\bcustomer\b/g, 'client'],
  [/\bfilm\b/g, 'movie'],
  [/\bstaff\b/g, 'employee'],
  [/\bpostal_code\b/g, 'zip'],
  [/\bphone_number\b/g, 'phone'],
  [/\blast_update\b/g, 'refreshed_at'],
  [/\bunit_price\b/g, 'list_price'],
]
const OPENED = new Set(['name', 'title', 'status', 'type', 'description', 'code'])

/** Has words of its own, and says whose name it is. */
const terms: House = {
  name: 'terms',
  databases: { sakila: 'rental', northwind: 'wholesale', oracle_co: 'retail' },
  table: (entity) => plural(entity),
  column: snake,
  staged(column, { entity }) {
    const own = translate(entity)
    if (column.kind === 'id') return `${own}_id`
    const name = translate(snake(column.words))
    if (column.kind === 'boolean') return `is_${name}`
    return OPENED.has(name) ? `${own}_${name}` : name
  },
  model: ({ entity }, source) => `stg_${source}__${plural(entity)}`,
  folder: (source) => `models/staging/${source}`,
  yaml: (source) => `_${source}__models.yml`,
  sql: {
    upper: false,
    leadingCommas: false,
    indent: 4,
    ctes: ['source', 'renamed'],
    final: 'select * from renamed',
  },
}

function translate(name: string): string {
  const spaced = TERMS.reduce(
    (text, [word, other]) =>
      text.replaceAll(new RegExp(`(?<![a-z])${word.source.replaceAll('\\b', '')}(?![a-z])`, 'g'), other),
    name,
  )
  return spaced
}

/** Keeps ids and flags as they are, and puts the day last. */
const plain: House = {
  name: 'plain',
  databases: { oracle_hr: 'hr', oracle_co: 'co', chinook: 'music', sakila: 'video' },
  table: (entity, source) => `${source}_${plural(entity)}`,
  column: (words) => snake(words).toUpperCase(),
  staged({ kind, words }: HouseColumn) {
    if (kind === 'timestamp') return `${snake(event(words, TIMES))}_datetime`
    return snake(words)
  },
  model: ({ raw }) => `base_${raw}`,
  folder: () => 'models/base',
  yaml: (_, model) => `_${model}.yml`,
  sql: {
    upper: false,
    leadingCommas: false,
    indent: 2,
    ctes: ['source', 'renamed'],
    final: 'select * from renamed',
  },
}

const HOUSES: readonly House[] = [guide, entityFirst, keyed, erp, asStored, units, terms, plain]

/** Builds the projects of all houses. */
export function buildHouses(): readonly HouseProject[] {
  return HOUSES.map(buildHouse)
}
