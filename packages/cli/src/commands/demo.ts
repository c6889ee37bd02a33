import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { runDemo } from './run-demo.ts'
import { assertWritable } from '../files/make-folder.ts'
import { readIfThere } from '../files/read-if-there.ts'

/** Marks a folder that the demo may replace. */
const MARK = 'stagecraft-demo.txt'

/** `stagecraft demo`: builds the demo in a separate folder, and replaces only a folder of its own. */
export async function demoCommand({ out }: { readonly out: string }): Promise<void> {
  assertWritable(out, '--out')
  await clear(out)
  await runDemo(out, join(out, MARK))
}

async function clear(folder: string): Promise<void> {
  const isThere = (await readIfThere(join(folder, 'warehouse.duckdb')).catch(() => '')) !== undefined
  if (!isThere) return
  if ((await readIfThere(join(folder, MARK))) === undefined) {
    const expected = 'a folder that is new, or that the demo made'
    throw new StagecraftError('INVALID_REQUEST', `--out: expected ${expected}, got ${folder}`, {
      details: { faults: [{ path: 'out', expected, received: folder }] },
    })
  }
  await rm(folder, { recursive: true })
}
