import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { pushFiles } from './push-files.ts'
import { makeFolder, makeRepository } from './testing/repositories.ts'
import { recordingGit } from './testing/recording-git.ts'

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a push of ten thousand files in a thousand folders takes no process for each of them', async () => {
  const repository = makeRepository(onTestFinished)
  const path = (index: number): string => `models/folder_${index % 1000}/model_${index}.sql`
  const there = Array.from({ length: 10_000 }, (_, index) => [path(index), `select ${index}\n`] as const)
  repository.commit(Object.fromEntries(there))
  const { calls, program } = recordingGit(onTestFinished)
  const outcome = await pushFiles({
    remote: repository.folder,
    branch: 'main',
    message: 'Staging models',
    author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
    files: there.map(([file, content]) => ({ path: file, content: `${content}-- new\n` })),
    lastPushed: new Map(there.map(([file, content]) => [file, sha(content)])),
    policy: { allowLocal: true, allowPrivateHosts: true },
    folder: makeFolder(onTestFinished),
    programs: { git: program },
  })
  expect(outcome).toMatchObject({ outcome: 'pushed', files: { length: 10_000 } })
  expect(calls().length).toBeLessThan(60)
})
