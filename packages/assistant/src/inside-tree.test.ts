import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { insideTree } from './inside-tree.ts'

test('has the files of the project, and nothing that lies or leads outside of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-inside-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'project/models/.hidden'), { recursive: true })
  mkdirSync(join(folder, 'project-of-another'))
  const write = (path: string, text = 'select 1'): void => writeFileSync(join(folder, path), text)
  write('outside.sql')
  write('project-of-another/a.sql')
  write('project/.env')
  write('project/profiles.yml')
  write('project/models/a.sql')
  write('project/models/.hidden/b.sql')
  write('project/models/server.key')
  write('project/models/huge.sql', ' '.repeat(2_000_001))
  symlinkSync('../../outside.sql', join(folder, 'project/models/link.sql'))
  symlinkSync('../../project-of-another', join(folder, 'project/models/other'))
  symlinkSync('a.sql', join(folder, 'project/models/alias.sql'))
  symlinkSync('../.env', join(folder, 'project/models/env.sql'))

  const tree = insideTree(join(folder, 'project'))
  expect((await tree.list('')).map(({ path }) => path)).toEqual(['models/a.sql', 'models/alias.sql'])
  expect(await tree.read('models/a.sql')).toBeDefined()
  for (const path of ['../outside.sql', 'models/../../outside.sql', 'models/link.sql', 'models/other/a.sql'])
    expect(await tree.read(path)).toBeUndefined()
  for (const path of ['.env', 'profiles.yml', 'models/env.sql', 'models/huge.sql', 'models/gone.sql'])
    expect(await tree.read(path)).toBeUndefined()
})
