import type * as Sqlite from 'node:sqlite'
import { StagecraftError } from '@stagecraft/spec'

/**
 * Node's own SQLite, without the warning of some versions that it is an experiment: whoever opens an SQLite file chose it.
 * All other warnings pass.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a Node that has none.
 */
export function loadSqlite(): typeof Sqlite {
  const original = Reflect.get(process, 'emitWarning') as (...parameters: readonly unknown[]) => void
  const withoutExpected = (...parameters: readonly unknown[]): void => {
    const [warning] = parameters
    const isExpected = String(warning).includes('SQLite') && parameters.includes('ExperimentalWarning')
    if (!isExpected) Reflect.apply(original, process, parameters)
  }
  Reflect.set(process, 'emitWarning', withoutExpected)
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    if (sqlite) return sqlite
  } finally {
    Reflect.set(process, 'emitWarning', original)
  }
  const suggestion = 'use Node 22.18 or newer'
  throw new StagecraftError(
    'INVALID_REQUEST',
    `this Node (${process.version}) has no SQLite; ${suggestion}`,
    {
      details: { suggestion },
    },
  )
}
