import { DIALECTS } from '@stagecraft/dialects'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSql } from './merge-sql.ts'
import { sameTokens, tokenStream } from './same-tokens.ts'
import { scanSql } from './scan-sql.ts'

const DIALECT = fc.constantFrom(...Object.values(DIALECTS))

const PIECES = [
  "'",
  '"',
  '`',
  '$$',
  '--',
  '/*',
  '*/',
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '\\',
  '#',
  '//',
  '\n',
  ' ',
  ',',
  '(',
  ')',
  '[',
  ']',
  'select',
  'as',
  'a',
  '1',
  'é',
  '😀',
  "E'",
]

test('a scan loses nothing, whatever the text', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, DIALECT, (text, syntax) => {
      const tokens = scanSql(text, syntax)
      expect(tokens.map((token) => token.text).join('')).toBe(text)
      expect(
        tokens.every((token) => token.end - token.start === token.text.length && token.text !== ''),
      ).toBe(true)
    }),
    { numRuns: 400 },
  )
})

/** A name of a column, which never looks like what only a person wrote. */
function columnName(prefix: 'c' | 'n'): fc.Arbitrary<string> {
  return fc.stringMatching(new RegExp(`^${prefix}_[a-z]{1,4}$`)).filter((name) => !name.includes('own'))
}

/** The edit of a column by a person: `own` marks what only they wrote. */
interface Column {
  readonly name: string
  readonly edit: 'none' | 'comment' | 'above' | 'expression' | 'alias' | 'removed'
  readonly wanted: 'same' | 'gone' | 'cast'
}

const COLUMNS = fc.uniqueArray(
  fc.record<Column>({
    name: columnName('c'),
    edit: fc.constantFrom('none', 'none', 'comment', 'above', 'expression', 'alias', 'removed'),
    wanted: fc.constantFrom('same', 'same', 'same', 'gone', 'cast'),
  }),
  { selector: ({ name }) => name, minLength: 2, maxLength: 8 },
)

interface Style {
  readonly leading: boolean
  readonly upper: boolean
  readonly inline: boolean
  readonly trailing: boolean
  readonly newline: string
}

const STYLE = fc.record<Style>({
  leading: fc.boolean(),
  upper: fc.boolean(),
  inline: fc.boolean(),
  trailing: fc.boolean(),
  newline: fc.constantFrom('\n', '\r\n'),
})

function generated(items: readonly string[]): string {
  return `with\n\nsource as (\n\n    select * from {{ source('a', 'b') }}\n\n),\n\nrenamed as (\n\n    select\n        ${items.join(',\n        ')}\n\n    from source\n\n)\n\nselect * from renamed\n`
}

function byPerson(columns: readonly Column[], { inline, leading, newline, trailing, upper }: Style): string {
  const as = upper ? 'AS' : 'as'
  const items = columns
    .filter(({ edit }) => edit !== 'removed')
    .map(({ edit, name }) => ({
      text:
        edit === 'expression'
          ? `own_${name}(${name}, 1) ${as} ${name}`
          : edit === 'alias'
            ? `${name} ${as} own_${name}`
            : name,
      above: edit === 'above' && !inline ? `-- own above ${name}` : undefined,
      behind: edit === 'comment' ? (inline ? ` /* own ${name} */` : ` -- own ${name}`) : '',
    }))
  const lines = items.flatMap(({ above, behind, text }, index) => {
    const last = index === items.length - 1
    const line = leading
      ? `${index > 0 ? ', ' : ''}${text}${behind}`
      : `${text}${last && !trailing ? '' : ','}${behind}`
    return above === undefined ? [line] : [above, line]
  })
  const list = inline ? ` ${lines.join(' ')} ` : `${newline}  ${lines.join(`${newline}  `)}${newline}`
  return `-- own head${newline}WITH s AS (SELECT * FROM {{ source('a', 'b') }})${newline}SELECT${list}FROM s -- own foot${newline}WHERE own_filter${newline}`
}

const WANTED: Readonly<Record<Column['wanted'], (name: string) => readonly string[]>> = {
  same: (name) => [name],
  gone: () => [],
  cast: (name) => [`cast(${name} as date) as ${name}`],
}

const MODELS = fc
  .tuple(
    COLUMNS,
    STYLE,
    fc.uniqueArray(fc.tuple(fc.nat(8), columnName('n')), {
      selector: ([, name]) => name,
      maxLength: 3,
    }),
  )
  .filter(
    ([columns]) =>
      columns.some(({ edit }) => edit !== 'removed') && columns.some(({ wanted }) => wanted !== 'gone'),
  )
  .map(([columns, style, added]) => {
    const wanted = columns.flatMap(({ name, wanted }) => WANTED[wanted](name))
    for (const [at, name] of added) wanted.splice(at, 0, name)
    return {
      base: generated(columns.map(({ name }) => name)),
      present: byPerson(columns, style),
      wanted: generated(wanted),
      added: added.map(([, name]) => name),
    }
  })

const syntax = DIALECTS.postgres

function ownTokens(text: string): readonly string[] {
  return scanSql(text, syntax)
    .filter(({ kind, text }) => kind !== 'blank' && text.includes('own'))
    .map(({ text }) => text)
}

test('a merge keeps every token that a person wrote', () => {
  fc.assert(
    fc.property(MODELS, ({ added, base, present, wanted }) => {
      const { text } = mergeSql({ base, present, wanted }, { syntax })
      expect(ownTokens(text)).toEqual(ownTokens(present))
      for (const name of added) expect(text.match(new RegExp(`\\b${name}\\b`, 'g'))).toHaveLength(1)
    }),
    { numRuns: 400 },
  )
})

test('a merge that is repeated changes nothing', () => {
  fc.assert(
    fc.property(MODELS, ({ base, present, wanted }) => {
      const { text } = mergeSql({ base, present, wanted }, { syntax })
      expect(mergeSql({ base: wanted, present: text, wanted }, { syntax })).toEqual({ text, conflicts: [] })
      expect(mergeSql({ base, present: text, wanted }, { syntax }).text).toBe(text)
    }),
    { numRuns: 400 },
  )
})

test('a text that nobody changed becomes what is wanted, but for its format', () => {
  fc.assert(
    fc.property(MODELS, ({ base, wanted }) => {
      const { conflicts, text } = mergeSql({ base, present: base, wanted }, { syntax })
      expect(conflicts).toEqual([])
      expect(sameTokens(text, wanted, syntax), tokenStream(text, syntax)).toBe(true)
    }),
    { numRuns: 200 },
  )
})
