import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { readIfThere } from './read-if-there.ts'
import { writeBeside } from './write-beside.ts'

/** The record of one file that Stagecraft wrote. */
export interface LedgerEntry {
  /** The SHA-256 of every content that the file may have: during a replacement, the old and the new one. */
  readonly hashes: readonly string[]
  /** The models or source tables in it. */
  readonly covers: readonly string[]
}

/** Records by path, relative to the folder of the project. */
export type Ledger = Readonly<Record<string, LedgerEntry>>

/** The path of the ledger. Commit it together with the files it describes. */
const LEDGER_FILE = '.stagecraft/files.json'

export async function readLedger(folder: string): Promise<Ledger> {
  const text = await readIfThere(join(folder, LEDGER_FILE))
  if (text === undefined) return {}
  try {
    return (JSON.parse(text) as { files: Ledger }).files
  } catch (error) {
    throw new StagecraftError(
      'INVALID_REQUEST',
      `${LEDGER_FILE}: expected the JSON that stagecraft wrote, got something else; restore it, or delete it to treat all files as your own`,
      {
        cause: error,
        details: { faults: [{ path: LEDGER_FILE, expected: 'JSON', received: 'something else' }] },
      },
    )
  }
}

export function writeLedger(folder: string, ledger: Ledger): void {
  const files = Object.fromEntries(Object.entries(ledger).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeBeside(join(folder, LEDGER_FILE), `${JSON.stringify({ files }, null, 2)}\n`).place()
}
