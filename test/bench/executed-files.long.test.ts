import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

/** To follow a batch of two with its job is to open at most so many files; it was 148. */
const MOST = 90

test('a batch of two executes few enough files to be read', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    repositoryPath('test/bench/executed-files.ts'),
    '--json',
  ])
  const files = JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>
  const batch = files['batch of two with its job'] ?? []
  // From the request to the printed files: all of it was measured.
  expect(batch).toEqual(
    expect.arrayContaining([
      'http/src/admission/admit.ts',
      'service/src/generations/generate-batch.ts',
      'catalogs/src/sqlite/sqlite.ts',
      'core/src/render/print-files.ts',
    ]),
  )
  expect(batch.length > MOST ? batch : []).toEqual([])
})
