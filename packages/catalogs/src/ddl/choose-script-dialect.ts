import { DIALECTS } from '@stagecraft/dialects'
import { DIALECT_NAMES, type DialectName, StagecraftError, type Warning } from '@stagecraft/spec'
import { parseDialect } from '../parse-dialect.ts'
import type { SqlFile } from './read-schema.ts'

/** The dialect recognized by the syntax of a script, and the sign that identified it. */
interface DetectedDialect {
  readonly dialect: DialectName
  readonly sign: string
}

/** The number of characters to examine in each file. The tables of a dump come before its data. */
const EXAMINED = 400_000

const SIGNS = DIALECT_NAMES.flatMap((dialect) =>
  DIALECTS[dialect].ddl.signs.map((sign) => ({ ...sign, dialect })),
)

const TEXTS_AND_COMMENTS = /'(?:[^'\\]|''|\\.)*'|--[^\n]*|\/\*[^]*?\*\//g

/** Returns the dialect that the syntax of scripts shows; undefined if it shows none, or several equally. */
export function detectDialect(texts: readonly string[]): DetectedDialect | undefined {
  const scores = new Map<DialectName, { score: number; weight: number; sign: string }>()
  const whole = texts
    .map((text) => text.slice(0, EXAMINED))
    .join('\n')
    .slice(0, 4 * EXAMINED)
  const code = whole.replace(TEXTS_AND_COMMENTS, ' ')
  for (const { dialect, isInComments, pattern, sign, weight } of SIGNS) {
    if (!pattern.test(isInComments ? whole : code)) continue
    const before = scores.get(dialect)
    const strongest = before && before.weight >= weight ? before : { sign, weight }
    scores.set(dialect, { ...strongest, score: (before?.score ?? 0) + weight })
  }
  const [first, second] = [...scores].toSorted(([, a], [, b]) => b.score - a.score)
  if (!first || first[1].score < 2 || first[1].score === second?.[1].score) return undefined
  return { dialect: first[0], sign: first[1].sign }
}

/** Returns true if statements of one dialect can also be read as the other. */
export function areKin(a: DialectName, b: DialectName): boolean {
  return a === b || DIALECTS[a].ddl.kin.includes(b) || DIALECTS[b].ddl.kin.includes(a)
}

interface ChooseOptions {
  readonly path: string
  /** The dialect in the address of the catalog. */
  readonly dialect?: DialectName | undefined
  /** The dialect of the warehouse. */
  readonly target?: DialectName | undefined
}

interface ScriptDialect {
  readonly dialect: DialectName | undefined
  /** Reports the dialect that was assumed because nothing stated it. */
  readonly warning?: Warning
}

/**
 * Chooses the dialect of scripts: the stated one, the one that their syntax shows, otherwise that of the
 * warehouse.
 */
export function chooseScriptDialect(
  files: readonly SqlFile[],
  { path, dialect, target }: ChooseOptions,
): ScriptDialect {
  const stated = dialect ?? statedDialect(files)
  if (stated !== undefined) return { dialect: stated }

  const detected = detectDialect(files.map(({ sql }) => sql))
  if (detected && !(target && areKin(target, detected.dialect)))
    return {
      dialect: detected.dialect,
      warning: assumed(path, detected.dialect, `because of ${detected.sign}`),
    }
  if (target !== undefined)
    return { dialect: target, warning: assumed(path, target, 'the dialect of the output') }
  return { dialect: undefined, warning: assumed(path, undefined, 'because nothing states its dialect') }
}

function assumed(path: string, dialect: DialectName | undefined, reason: string): Warning {
  const name = dialect ?? 'SQL that all dialects share'
  const message = `${path} is read as ${name}, ${reason}; ?dialect=… after the path overrides this`
  return { code: 'DIALECT_ASSUMED', message }
}

/** Returns the dialect that the first lines of the files name. */
function statedDialect(files: readonly SqlFile[]): DialectName | undefined {
  const named = files.flatMap(({ name, sql }) => {
    const [, text] = /^\s*(?:--|#|\/\*)\s*dialect\s*[:=]\s*(\w+)/im.exec(sql.slice(0, 1000)) ?? []
    return text === undefined ? [] : [{ name, dialect: parseDialect(text, name) }]
  })
  const [first] = named
  const other = named.find(({ dialect }) => dialect !== first?.dialect)
  if (!first || !other) return first?.dialect
  throw new StagecraftError(
    'INVALID_REQUEST',
    `expected one dialect, got ${first.dialect} in ${first.name} and ${other.dialect} in ${other.name}; read them separately`,
    {
      details: {
        faults: [
          { path: other.name, expected: `dialect ${first.dialect}`, received: `dialect ${other.dialect}` },
        ],
      },
    },
  )
}
