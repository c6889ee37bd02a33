import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from './run-cli.ts'

/** Enough tables for a run of more than a second. */
function manyTables(folder: string): string {
  const columns = Array.from({ length: 30 }, (_, index) => ({ name: `column_${index}`, type: 'text' }))
  const tables = Array.from({ length: 4000 }, (_, index) => ({ schema: 'raw', name: `t${index}`, columns }))
  const file = join(folder, 'columns.json')
  writeFileSync(file, JSON.stringify({ dialect: 'duckdb', tables }))
  return file
}

test.each([
  ['generating', [], /^(?:generating \d+\/4000\n)+stopped; nothing was written\n$/],
  ['planning', ['--out', 'out'], /^planning 4000 tables\nstopped; nothing was written\n$/],
])('a long run says that it is %s, and Ctrl-C leaves nothing behind', async (word, flags, said) => {
  const folder = temporaryFolder()
  const out = join(folder, 'out')
  const parameters = ['generate', '--all', '--catalog', manyTables(folder), ...flags]
  const { code, stderr, stdout } = await runCli(parameters, {
    folder,
    keepsProgress: true,
    onError: (text, stop) => {
      if (text.startsWith(word)) stop('SIGINT')
    },
  })
  expect({ code, stdout, stderr }).toEqual({
    code: 130,
    stdout: '',
    stderr: expect.stringMatching(said) as string,
  })
  expect(existsSync(out)).toBe(false)
})
