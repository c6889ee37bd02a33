import { describe, expect, onTestFinished, test } from 'vitest'
import { pushFiles } from './push-files.ts'
import type { PushOutcome, SentCommit } from './push-options.ts'
import { makeFolder, makeRepository, runTestGit, type TestRepository } from './testing/repositories.ts'

/** A push whose commit arrived; `again` is what whoever does it once more is answered. */
async function pushedOnce(repository: TestRepository) {
  const sent: SentCommit[] = []
  const run = (content: string): Promise<PushOutcome> =>
    pushFiles({
      remote: repository.folder,
      branch: 'main',
      message: 'Staging models',
      trailers: { 'Stagecraft-Push': 'push_1' },
      author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
      files: [{ path: 'models/a.sql', content }],
      lastPushed: new Map(),
      overwrite: true,
      sent: [...sent],
      onSend: async (commit) => void sent.push(commit),
      policy: { allowLocal: true, allowPrivateHosts: true },
      folder: makeFolder(onTestFinished),
    })
  const first = await run('select 1\n')
  return { first, sent, again: () => run('select 1\n') }
}

function clone(repository: TestRepository): (...parameters: readonly string[]) => string {
  const folder = makeFolder(onTestFinished)
  runTestGit(folder, ['clone', '-q', repository.folder, '.'])
  return (...parameters) => runTestGit(folder, parameters).toString().trim()
}

const countOurs = (repository: TestRepository): number =>
  Number(repository.git('rev-list', '--count', '--grep=Stagecraft-Push', 'main'))

describe('a commit that arrived is found', () => {
  test('under hundreds of others', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: '0' })
    const { again, first } = await pushedOnce(repository)
    const who = 'committer Ann <ann@example.com> 1767000000 +0000'
    const from = 'from refs/heads/main^0'
    const others = Array.from({ length: 300 }, () => `commit refs/heads/main\n${who}\ndata 5\nother\n`)
    runTestGit(
      repository.folder,
      ['fast-import', '--quiet'],
      others.join('\n').replace('other\n', `other\n${from}\n`),
    )
    expect(await again()).toEqual(first)
    expect(countOurs(repository)).toBe(1)
  })

  test('under a change of the same file, which stays', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: '0' })
    const { again, first } = await pushedOnce(repository)
    repository.commit({ 'models/a.sql': 'select 2 -- of a human\n' })
    expect(await again()).toEqual(first)
    expect(repository.read('models/a.sql')).toContain('of a human')
  })

  test('on the other side of a merge', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: '0' })
    const git = clone(repository)
    const { again, first } = await pushedOnce(repository)
    git('commit', '-q', '--allow-empty', '-m', 'mine')
    git('pull', '-q', '--no-rebase', '--no-edit')
    git('push', '-q', 'origin', 'main')
    expect(await again()).toEqual(first)
    expect(countOurs(repository)).toBe(1)
  })

  test('after a rebase, under its new id', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: '0' })
    const { again, first } = await pushedOnce(repository)
    const git = clone(repository)
    git('checkout', '-q', '-b', 'work', 'HEAD~1')
    git('commit', '-q', '--allow-empty', '-m', 'mine')
    git('checkout', '-q', 'main')
    git('rebase', '-q', 'work')
    git('push', '-q', '--force', 'origin', 'main')
    expect(await again()).toEqual({ ...first, commit: repository.git('rev-parse', 'main') })
    expect(countOurs(repository)).toBe(1)
  })

  test('in a squash that kept its message', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: '0' })
    const { again } = await pushedOnce(repository)
    const git = clone(repository)
    git('commit', '-q', '--allow-empty', '-m', 'mine')
    const message = git('log', '--format=* %B', 'HEAD~2..')
    git('reset', '-q', '--soft', 'HEAD~2')
    git('commit', '-q', '-m', `Squashed\n\n${message}\n\nSigned-off-by: Ann`)
    git('push', '-q', '--force', 'origin', 'main')
    expect(await again()).toMatchObject({ outcome: 'pushed', commit: repository.git('rev-parse', 'main') })
  })

  test('in a squash that says nothing of it: the branch has all that was sent', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: '0' })
    const { again, sent } = await pushedOnce(repository)
    const git = clone(repository)
    git('commit', '-q', '--amend', '-m', 'Mine')
    git('push', '-q', '--force', 'origin', 'main')
    const head = repository.git('rev-parse', 'main')
    expect(await again()).toMatchObject({ outcome: 'pushed', commit: head, files: sent[0]?.files })
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  test('as the first one of a repository', async () => {
    const repository = makeRepository(onTestFinished)
    const { again, first } = await pushedOnce(repository)
    repository.commit({ b: '1' })
    expect(await again()).toEqual(first)
  })
})

test('a commit that somebody took away is sent once more', async () => {
  const repository = makeRepository(onTestFinished)
  const head = repository.commit({ a: '0' })
  const { again, first } = await pushedOnce(repository)
  repository.git('update-ref', 'refs/heads/main', head)
  repository.commit({ b: '1' })
  const second = await again()
  expect(second).toMatchObject({ outcome: 'pushed', files: [{ path: 'models/a.sql', change: 'added' }] })
  expect(second.commit).not.toBe(first.commit)
  expect(countOurs(repository)).toBe(1)
})

test('a commit that another run of the push sends at the same time is not sent twice', async () => {
  const repository = makeRepository(onTestFinished)
  repository.commit({ a: '0' })
  const runs = await Promise.all([pushedOnce(repository), pushedOnce(repository), pushedOnce(repository)])
  expect(countOurs(repository)).toBe(1)
  expect(new Set(runs.map(({ first }) => first.commit)).size).toBe(1)
})
