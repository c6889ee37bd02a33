import { type DialectName, StagecraftError, type Warning } from '@stagecraft/spec'
import { parseDialect } from '../dialect-option.ts'
import { areKin, detectDialect } from './detect-dialect.ts'
import type { SqlFile } from './read-schema.ts'

export interface Asked {
  readonly path: string
  /** The dialect in the address of the catalog. */
  readonly dialect?: DialectName | undefined
  /** The dialect of the warehouse. */
  readonly target?: DialectName | undefined
}

export interface ScriptDialect {
  readonly dialect: DialectName | undefined
  /** Says what was assumed, when nobody said it. */
  readonly warning?: Warning
}

/** Chooses what scripts are read as: what somebody said, what they tell by their syntax, else the warehouse's dialect. */
export function chooseScriptDialect(files: readonly SqlFile[], { path, ...asked }: Asked): ScriptDialect {
  const said = asked.dialect ?? saidDialect(files)
  if (said !== undefined) return { dialect: said }
  const { target } = asked
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
  const message = `${path} is read as ${name}, ${reason}; ?dialect=… behind the path says otherwise`
  return { code: 'DIALECT_ASSUMED', message }
}

/** Returns the dialect that the first lines of the files name. */
function saidDialect(files: readonly SqlFile[]): DialectName | undefined {
  const named = files.flatMap(({ name, sql }) => {
    const [, text] = /^\s*(?:--|#|\/\*)\s*dialect\s*[:=]\s*(\w+)/im.exec(sql.slice(0, 1000)) ?? []
    return text === undefined ? [] : [{ name, dialect: parseDialect(text, name) }]
  })
  const [first] = named
  const other = named.find(({ dialect }) => dialect !== first?.dialect)
  if (!first || !other) return first?.dialect
  throw new StagecraftError(
    'INVALID_REQUEST',
    `expected one dialect, got ${first.dialect} in ${first.name} and ${other.dialect} in ${other.name}; read them apart`,
    {
      details: {
        faults: [
          { path: other.name, expected: `dialect ${first.dialect}`, received: `dialect ${other.dialect}` },
        ],
      },
    },
  )
}
