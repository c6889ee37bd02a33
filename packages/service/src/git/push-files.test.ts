import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pushFiles } from './push-files.ts'
import { removeLeftovers, takeLock } from './push-home.ts'
import type { PushOptions, PushOutcome, SentCommit } from './push-options.ts'
import { makeFolder, makeRepository, runTestGit, type TestRepository } from './testing/repositories.ts'
import { recordingGit } from './testing/recording-git.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

type Change = Partial<Omit<PushOptions, 'files'>> & { readonly files?: Readonly<Record<string, string>> }

/** Pushes, and checks that nothing is left of the clone. */
async function push(
  repository: TestRepository,
  { files = { 'models/a.sql': 'select 1\n' }, ...change }: Change = {},
) {
  const folder = change.folder ?? makeFolder(onTestFinished)
  const before = readdirSync(folder)
  try {
    return await pushFiles({
      remote: repository.folder,
      branch: 'main',
      message: 'Staging models',
      author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
      files: Object.entries(files).map(([path, content]) => ({ path, content })),
      lastPushed: new Map(),
      policy: { allowLocal: true, allowPrivateHosts: true },
      now: () => NOW,
      ...change,
      folder,
    })
  } finally {
    expect(readdirSync(folder)).toEqual(before)
  }
}

async function failureOf(work: Promise<PushOutcome>): Promise<StagecraftError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(StagecraftError)
  return error as StagecraftError
}

const commitsOf = (repository: TestRepository, branch = 'main'): number =>
  Number(repository.git('rev-list', '--count', branch))

describe('a first commit', () => {
  test('goes into an empty repository', async () => {
    const repository = makeRepository(onTestFinished)
    const outcome = await push(repository, { files: { 'models/a.sql': 'a\r\nb', 'z.yml': '' } })
    expect(outcome).toEqual({
      outcome: 'pushed',
      branch: 'main',
      commit: repository.git('rev-parse', 'main'),
      files: [
        { path: 'models/a.sql', change: 'added', lines: 2 },
        { path: 'z.yml', change: 'added', lines: 0 },
      ],
      pushed: new Map([
        ['models/a.sql', sha('a\r\nb')],
        ['z.yml', sha('')],
      ]),
      removed: [],
      kept: [],
      skipped: [],
      conflicts: [],
      plan: expect.objectContaining({ counts: expect.objectContaining({ create: 2 }) }),
    })
    expect(repository.read('models/a.sql')).toBe('a\r\nb')
    expect(repository.git('ls-tree', '-r', '--name-only', 'main')).toBe('models/a.sql\nz.yml')
    expect(repository.git('log', '--format=%an|%ae|%cn|%ce|%aI|%cI|%P|%B')).toBe(
      'Stagecraft|stagecraft@localhost|Stagecraft|stagecraft@localhost|2026-11-21T10:00:00+00:00|2026-11-21T10:00:00+00:00||Staging models',
    )
  })

  test('takes the same id when it is the same', async () => {
    const [first, second] = [makeRepository(onTestFinished), makeRepository(onTestFinished)]
    await push(first)
    await push(second)
    expect(first.git('rev-parse', 'main')).toBe(second.git('rev-parse', 'main'))
  })

  test('goes to any branch, also beside a default branch that is not there', async () => {
    const repository = makeRepository(onTestFinished)
    await push(repository, { branch: 'stagecraft/models' })
    expect(repository.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/stagecraft/models')
  })
})

describe('a branch', () => {
  test('gets a commit with only what differs, and keeps the rest', async () => {
    const repository = makeRepository(onTestFinished)
    const parent = repository.commit({
      'README.md': 'hello',
      'models/a.sql': 'old',
      'models/same.sql': 'same',
    })
    const outcome = await push(repository, {
      files: { 'models/a.sql': 'new\n', 'models/b/c.sql': '1\n2\n3', 'models/same.sql': 'same' },
      lastPushed: new Map([['models/a.sql', sha('old')]]),
    })
    expect(outcome).toMatchObject({
      outcome: 'pushed',
      files: [
        { path: 'models/a.sql', change: 'changed', lines: 1 },
        { path: 'models/b/c.sql', change: 'added', lines: 3 },
      ],
    })
    expect(repository.git('rev-parse', 'main^')).toBe(parent)
    expect(repository.read('README.md')).toBe('hello')
    expect(repository.git('show', '--format=', '--name-status', 'main')).toBe(
      'M\tmodels/a.sql\nA\tmodels/b/c.sql',
    )
  })

  test('that is not there begins from the default branch', async () => {
    const repository = makeRepository(onTestFinished)
    const parent = repository.commit({ 'README.md': 'hello' })
    repository.commit({ other: 'other' }, 'develop')
    await push(repository, { branch: 'stagecraft' })
    expect(repository.git('rev-parse', 'stagecraft^')).toBe(parent)
    expect(repository.git('rev-parse', 'main')).toBe(parent)
  })

  test('that is not there begins from the base branch', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'README.md': 'hello' })
    const parent = repository.commit({ other: 'other' }, 'team/develop')
    await push(repository, { branch: 'stagecraft', baseBranch: 'team/develop' })
    expect(repository.git('rev-parse', 'stagecraft^')).toBe(parent)
  })

  test('that is there is not moved to the base branch', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ other: 'other' }, 'develop')
    const parent = repository.commit({ 'README.md': 'hello' })
    await push(repository, { baseBranch: 'develop' })
    expect(repository.git('rev-parse', 'main^')).toBe(parent)
  })

  test('needs a base branch that is there', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    const error = await failureOf(push(repository, { branch: 'x', baseBranch: 'nowhere' }))
    expect([error.code, error.message]).toEqual([
      'INVALID_REQUEST',
      'baseBranch: expected a branch of the repository, got "nowhere"',
    ])
  })

  test('needs a base branch where the repository has no default branch', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' }, 'develop')
    const error = await failureOf(push(repository, { branch: 'x' }))
    expect(error.message).toContain('baseBranch: expected a branch to start from')
  })

  test.each([
    ['a', 'a/b'],
    ['a/b/c', 'a'],
  ])('%s excludes one that is called %s', async (there, wanted) => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    repository.commit({ a: 'a' }, there)
    const error = await failureOf(push(repository, { branch: wanted }))
    expect([error.code, error.message]).toEqual([
      'INVALID_REQUEST',
      `branch: expected a name that does not collide with other branches, got a name that collides with refs/heads/${there}`,
    ])
  })

  test('is not mistaken for another with the same end', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    repository.git('update-ref', 'refs/remotes/refs/heads/x', 'main')
    await push(repository, { branch: 'x', baseBranch: 'main' })
    expect(repository.git('rev-list', '--count', 'refs/heads/x')).toBe('2')
  })
})

describe('nothing to change', () => {
  test('makes no commit and answers the head', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'models/a.sql': 'select 1\n' })
    const head = repository.commit({ b: 'b' })
    expect(await push(repository)).toEqual({
      outcome: 'unchanged',
      commit: head,
      pushed: new Map([['models/a.sql', sha('select 1\n')]]),
      kept: [],
      skipped: [],
      conflicts: [],
      plan: expect.objectContaining({ counts: expect.objectContaining({ unchanged: 1 }) }),
    })
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  test('makes no branch', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'models/a.sql': 'select 1\n' })
    expect(await push(repository, { branch: 'x' })).toMatchObject({ outcome: 'unchanged', commit: undefined })
    expect(repository.git('branch')).toBe('* main')
  })

  test('is told of a commit that arrived, though nobody lived to say so', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'models/a.sql': 'old\n', 'models/b.sql': 'same\n' })
    const sent: SentCommit[] = []
    const options = {
      files: { 'models/a.sql': 'new\n', 'models/b.sql': 'same\n', 'models/c.sql': '1\n2\n' },
      lastPushed: new Map([['models/a.sql', sha('old\n')]]),
      trailers: { 'Stagecraft-Push': 'push_1' },
      message: 'First\r\n\r\nmore',
    }
    const first = await push(repository, { ...options, onSend: async (commit) => void sent.push(commit) })
    expect(repository.git('log', '-1', '--format=%B')).toBe('First\n\nmore\n\nStagecraft-Push: push_1')
    expect(await push(repository, { ...options, sent })).toEqual(first)
    expect(commitsOf(repository)).toBe(2)
    const other = await push(repository, { ...options, trailers: { 'Stagecraft-Push': 'push_2' } })
    expect(other).toMatchObject({ outcome: 'unchanged', commit: repository.git('rev-parse', 'main') })
  })
})

describe('files of others', () => {
  const setUp = () => {
    const repository = makeRepository(onTestFinished)
    const head = repository.commit({
      'a.sql': 'mine',
      'b.sql': 'edited',
      'c.sql': 'never ours',
      'd.sql': 'mine',
    })
    const lastPushed = new Map<string, string | readonly string[]>([
      ['a.sql', sha('mine')],
      ['b.sql', sha('as pushed')],
      ['d.sql', [sha('older'), sha('mine')]],
    ])
    const files = { 'a.sql': 'new', 'b.sql': 'new', 'c.sql': 'new', 'd.sql': 'new', 'e.sql': 'new' }
    return { repository, head, lastPushed, files }
  }

  test('are listed, and nothing is pushed', async () => {
    const { files, head, lastPushed, repository } = setUp()
    const error = await failureOf(push(repository, { files, lastPushed }))
    expect(error.code).toBe('INVALID_REQUEST')
    expect(error.message).toBe(
      'these files were changed in the branch since the last push: b.sql, c.sql; merge the changes, or push with overwrite to replace them',
    )
    expect(error.details).toMatchObject({ reason: 'files_changed', files: ['b.sql', 'c.sql'] })
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  test('are replaced with overwrite', async () => {
    const { files, lastPushed, repository } = setUp()
    const outcome = await push(repository, { files, lastPushed, overwrite: true })
    expect(outcome).toMatchObject({ outcome: 'pushed', files: { length: 5 } })
    expect(repository.read('b.sql')).toBe('new')
  })

  test('are told by the same rule from a server that leaves contents out', async () => {
    const { files, lastPushed, repository } = setUp()
    repository.git('config', 'uploadpack.allowFilter', 'true')
    const error = await failureOf(push(repository, { files, lastPushed }))
    expect(error.details).toMatchObject({ files: ['b.sql', 'c.sql'] })
    const { 'b.sql': _, 'c.sql': __, ...ours } = files
    await push(repository, { files: ours, lastPushed })
    expect(repository.read('d.sql')).toBe('new')
    expect(repository.read('c.sql')).toBe('never ours')
  })

  test('are told by the same rule from a server that speaks the first protocol', async () => {
    const { files, lastPushed, repository } = setUp()
    const { 'b.sql': _, 'c.sql': __, ...ours } = files
    const { program } = recordingGit(onTestFinished, 'export GIT_CONFIG_PARAMETERS="\'protocol.version=0\'"')
    await push(repository, { files: ours, lastPushed, programs: { git: program } })
    expect(repository.read('a.sql')).toBe('new')
  })

  test('that have the new content are nobody’s trouble', async () => {
    const { repository } = setUp()
    const outcome = await push(repository, { files: { 'b.sql': 'edited', 'new.sql': 'new' } })
    expect(outcome).toMatchObject({ outcome: 'pushed', files: [{ path: 'new.sql' }] })
  })

  test('that were removed are added again', async () => {
    const { lastPushed, repository } = setUp()
    repository.commit({ 'a.sql': undefined })
    const outcome = await push(repository, { files: { 'a.sql': 'new' }, lastPushed })
    expect(outcome).toMatchObject({ files: [{ path: 'a.sql', change: 'added' }] })
  })

  test('keep what makes them programs', async () => {
    const repository = makeRepository(onTestFinished)
    const id = runTestGit(repository.folder, ['hash-object', '-w', '--stdin'], 'old').toString().trim()
    const tree = runTestGit(repository.folder, ['mktree'], `100755 blob ${id}\trun.sh\n`).toString().trim()
    repository.git('update-ref', 'refs/heads/main', repository.git('commit-tree', '-m', 'x', tree))
    await push(repository, { files: { 'run.sh': 'new' }, lastPushed: new Map([['run.sh', sha('old')]]) })
    expect(repository.git('ls-tree', 'main')).toMatch(/^100755 blob \S+\trun.sh$/)
  })
})

describe('a hostile repository', () => {
  function makeTree(repository: TestRepository, rows: string): string {
    const tree = runTestGit(repository.folder, ['mktree', '--missing'], rows).toString().trim()
    const commit = repository.git('commit-tree', '-m', 'x', tree)
    repository.git('update-ref', 'refs/heads/main', commit)
    return commit
  }
  const blobOf = (repository: TestRepository, text: string): string =>
    runTestGit(repository.folder, ['hash-object', '-w', '--stdin'], text).toString().trim()

  test.each(['link', 'submodule', 'file'])('cannot lead a path through a %s', async (kind) => {
    const target = makeFolder(onTestFinished)
    const repository = makeRepository(onTestFinished)
    const blob = blobOf(repository, target)
    const row = {
      link: `120000 blob ${blob}`,
      submodule: `160000 commit ${'1'.repeat(40)}`,
      file: `100644 blob ${blob}`,
    }[kind]
    const head = makeTree(repository, `${row}\tmodels\n`)
    for (const overwrite of [false, true]) {
      const error = await failureOf(push(repository, { files: { 'models/a/b.sql': 'x', c: 'y' }, overwrite }))
      expect(error.details).toMatchObject({ reason: 'path_blocked', files: ['models/a/b.sql'] })
    }
    expect(repository.git('rev-parse', 'main')).toBe(head)
    expect(readdirSync(target)).toEqual([])
  })

  test('cannot have a folder replaced by a file', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'models/a.sql/x': 'x' })
    const error = await failureOf(push(repository, { overwrite: true }))
    expect(error.details).toMatchObject({ reason: 'path_blocked', files: ['models/a.sql'] })
  })

  test('cannot pass a link for a file of ours', async () => {
    const repository = makeRepository(onTestFinished)
    makeTree(repository, `120000 blob ${blobOf(repository, '/etc/passwd')}\ta.sql\n`)
    const lastPushed = new Map([['a.sql', sha('/etc/passwd')]])
    for (const content of ['/etc/passwd', 'new']) {
      const error = await failureOf(push(repository, { files: { 'a.sql': content }, lastPushed }))
      expect(error.details).toMatchObject({ reason: 'files_changed', files: ['a.sql'] })
    }
    await push(repository, { files: { 'a.sql': '/etc/passwd' }, overwrite: true })
    expect(repository.git('ls-tree', 'main')).toMatch(/^100644 blob \S+\ta.sql$/)
  })

  test('keeps names that are no UTF-8, and attributes change no content', async () => {
    const repository = makeRepository(onTestFinished)
    const blob = blobOf(repository, '* text eol=crlf filter=evil ident\n')
    const rows = Buffer.concat([
      Buffer.from(`100644 blob ${blob}\t.gitattributes\n100644 blob ${blob}\tcaf`),
      Buffer.from([0xe9, 0x0a]),
    ])
    const tree = runTestGit(repository.folder, ['mktree'], rows).toString().trim()
    repository.git('update-ref', 'refs/heads/main', repository.git('commit-tree', '-m', 'x', tree))
    await push(repository, { files: { 'café.sql': '$Id$\r\nx\n' } })
    expect(repository.read('café.sql')).toBe('$Id$\r\nx\n')
    const names = runTestGit(repository.folder, ['ls-tree', '-z', '--name-only', 'main']).toString('latin1')
    expect(names.split('\0')).toContain('caf\u00e9')
  })

  test('keeps a folder that is called .git on its own side', async () => {
    const repository = makeRepository(onTestFinished)
    const blob = blobOf(repository, '#!/bin/sh\ntouch /tmp/stagecraft-was-here\n')
    const inner = runTestGit(repository.folder, ['mktree'], `100755 blob ${blob}\tpost-checkout\n`)
      .toString()
      .trim()
    makeTree(repository, `040000 tree ${inner}\t.git\n`)
    await push(repository)
    expect(repository.read('models/a.sql')).toBe('select 1\n')
  })
})

describe('what is asked for', () => {
  const refuse = async (change: Change): Promise<StagecraftError> => {
    const { calls, program } = recordingGit(onTestFinished)
    const error = await failureOf(
      push(makeRepository(onTestFinished), { programs: { git: program }, ...change }),
    )
    expect(error.code).toBe('INVALID_REQUEST')
    expect(calls()).toEqual([])
    return error
  }

  test.each(['.git/config', 'a/.GIT/hooks/x', '../x', '/etc/x', 'a//b', '.git./x', 'git~1/x'])(
    'is refused for the path %s before git runs',
    async (path) => {
      const error = await refuse({ files: { [path]: 'x' } })
      expect(error.details?.faults).toEqual([
        { path: 'files.0.path', expected: expect.any(String), received: JSON.stringify(path) },
      ])
    },
  )

  test.each(['--upload-pack=touch x', '-x', 'a..b', 'refs/heads/main', ''])(
    'is refused for the branch %j before git runs',
    async (branch) => {
      expect((await refuse({ branch })).details?.faults).toMatchObject([{ path: 'branch' }])
      expect((await refuse({ baseBranch: branch })).details?.faults).toMatchObject([{ path: 'baseBranch' }])
    },
  )

  test.each([
    '--upload-pack=touch /tmp/x',
    'ext::sh -c date',
    '-oProxyCommand=date:x',
    'https://s3cret@host/x.git',
  ])('is refused for the remote %s before git runs, without repeating it', async (remote) => {
    const error = await refuse({ remote })
    expect(error.details?.faults).toMatchObject([{ path: 'remote' }])
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/touch|date|s3cret/)
  })

  test('is told all faults at once', async () => {
    const error = await refuse({
      remote: 'x',
      branch: '-',
      message: ' ',
      author: { name: 'a<b', email: '' },
      trailers: { 'a b': 'x' },
      files: {},
    })
    expect(error.details?.faults?.map(({ path }) => path)).toEqual([
      'remote',
      'branch',
      'author.name',
      'author.email',
      'message',
      'trailers.a b',
      'files',
    ])
  })

  test('is refused for paths that exclude each other', async () => {
    const options = { remote: '/x', branch: 'b', message: 'm', author: { name: 'a', email: 'e' } }
    const files = ['a', 'a/b', 'c', 'c'].map((path) => ({ path, content: '' }))
    const policy = { allowLocal: true, allowPrivateHosts: false }
    const error = await failureOf(pushFiles({ ...options, files, policy, lastPushed: new Map() }))
    expect(error.details?.faults?.map(({ path }) => path)).toEqual(['files.0.path', 'files.3.path'])
  })

  test('is refused for a local path where none is open', async () => {
    const error = await refuse({ policy: { allowLocal: false, allowPrivateHosts: true } })
    expect(error.details?.faults).toMatchObject([{ path: 'remote' }])
  })
})

describe('a server', () => {
  test('that declines is told of', async () => {
    const repository = makeRepository(onTestFinished)
    repository.hook('pre-receive', 'echo "s3cret-words https://user:token@host" >&2; exit 1')
    const error = await failureOf(push(repository))
    expect([error.code, error.details?.['reason']]).toEqual(['INVALID_REQUEST', 'rejected'])
    expect(JSON.stringify([error.message, error.details, error.stack])).not.toMatch(/s3cret|token@/)
    expect(repository.git('for-each-ref')).toBe('')
  })

  test('that declines one branch by a rule is told of', async () => {
    const repository = makeRepository(onTestFinished)
    const head = repository.commit({ a: 'a' })
    repository.hook('update', 'test "$1" != refs/heads/main')
    expect((await failureOf(push(repository))).details).toMatchObject({ reason: 'rejected' })
    expect(repository.git('rev-parse', 'main')).toBe(head)
    await push(repository, { branch: 'allowed' })
    expect(commitsOf(repository, 'allowed')).toBe(2)
  })

  test('that has the branch checked out is told of', async () => {
    const folder = makeFolder(onTestFinished)
    runTestGit(folder, ['init', '-q', '-b', 'main'])
    runTestGit(folder, ['commit', '-q', '--allow-empty', '-m', 'x'])
    const error = await failureOf(push({ folder } as TestRepository))
    expect(error.message).toContain('the branch is checked out in the remote')
  })

  test('that is no repository is told of', async () => {
    const error = await failureOf(
      push(makeRepository(onTestFinished), { remote: makeFolder(onTestFinished) }),
    )
    expect([error.code, error.details?.['reason']]).toEqual([
      'CONNECTION_FAILED',
      'there is no Git repository',
    ])
  })

  test('with ids of SHA-256 is pushed to', async () => {
    const repository = makeRepository(onTestFinished, { format: 'sha256' })
    repository.commit({ 'models/a.sql': 'old', b: 'same' })
    const lastPushed = new Map([['models/a.sql', sha('old')]])
    const outcome = await push(repository, { files: { 'models/a.sql': 'new', b: 'same' }, lastPushed })
    expect(outcome).toMatchObject({ files: [{ path: 'models/a.sql' }] })
    expect(outcome.commit).toMatch(/^[\da-f]{64}$/)
  })

  test('is reached by a file:// address', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    await push(repository, { remote: `file://${repository.folder}` })
    expect(commitsOf(repository)).toBe(2)
  })
})

describe('a race', () => {
  test('lets both of two pushes land', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    const names = ['one', 'two', 'three']
    const outcomes = await Promise.all(
      names.map(async (name) => await push(repository, { files: { [name]: name } })),
    )
    expect(new Set(outcomes.map(({ commit }) => commit)).size).toBe(3)
    expect(commitsOf(repository)).toBe(4)
    expect(names.map((name) => repository.read(name))).toEqual(names)
  })

  /** Another commit lands each time that ours is about to be sent, `times` times at most. */
  function racing(repository: TestRepository, times: number, path: string): string {
    const count = join(makeFolder(onTestFinished), 'count')
    const stream = `commit refs/heads/main\\ncommitter Ann <ann@example.com> 1767000000 +0000\\ndata 5\\nhuman\\nfrom refs/heads/main^0\\nM 100644 inline ${path}\\ndata 5\\nother\\n`
    const before = `if [ "$1" = push ] && [ "$(cat '${count}' 2>/dev/null | wc -l)" -lt ${times} ]; then echo x >> '${count}'; printf '${stream}' | env -i PATH="$PATH" git --git-dir='${repository.folder}' fast-import --quiet; fi`
    return recordingGit(onTestFinished, before).program
  }

  test('that is lost once is run again', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    await push(repository, { programs: { git: racing(repository, 1, 'other') } })
    expect([repository.read('other'), repository.read('models/a.sql')]).toEqual(['other', 'select 1\n'])
    expect(commitsOf(repository)).toBe(3)
  })

  test('that is lost to somebody who writes the same file is a change of theirs', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    const error = await failureOf(
      push(repository, { programs: { git: racing(repository, 1, 'models/a.sql') } }),
    )
    expect(error.details).toMatchObject({ reason: 'files_changed', files: ['models/a.sql'] })
  })

  test('that is lost again and again is given up', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    const error = await failureOf(push(repository, { programs: { git: racing(repository, 100, 'other') } }))
    expect([error.code, error.details?.['reason']]).toEqual(['INVALID_REQUEST', 'diverged'])
    expect(commitsOf(repository)).toBe(5)
  })

  test('with somebody who rewrites the branch builds on what they wrote', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    await push(repository)
    const orphan = repository.git('commit-tree', '-m', 'rewritten', 'main^{tree}')
    repository.git('update-ref', 'refs/heads/main', orphan)
    await push(repository, { files: { b: 'b' } })
    expect(repository.git('rev-parse', 'main^')).toBe(orphan)
  })
})

describe('an end', () => {
  /** One that has ended may wait for somebody to ask how. */
  const isAlive = (pid: number): boolean => {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`])
    return /^[^Z]/.test(stdout.toString().trim())
  }

  /** A repository whose hook waits, deaf or not, and tells its process. */
  function slowRepository(script: string): {
    readonly repository: TestRepository
    readonly hookPid: () => number
  } {
    const repository = makeRepository(onTestFinished)
    repository.commit({ a: 'a' })
    const file = join(makeFolder(onTestFinished), 'pid')
    repository.hook('pre-receive', `${script}\necho $$ > '${file}.new'; mv '${file}.new' '${file}'; sleep 30`)
    return { repository, hookPid: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0) }
  }

  test.each([
    ['by the signal', ''],
    ['by the signal, of helpers that are deaf', "trap '' TERM"],
  ])('%s leaves no process and no folder', async (_, script) => {
    const { hookPid, repository } = slowRepository(script)
    const { calls, program } = recordingGit(onTestFinished)
    const controller = new AbortController()
    const reason = new Error('enough')
    const work = push(repository, { signal: controller.signal, programs: { git: program } })
    const ended = work.catch((error: unknown) => error)
    await expect.poll(hookPid).toBeGreaterThan(0)
    controller.abort(reason)
    expect(await ended).toBe(reason)
    const living = (): readonly number[] => [...calls().map(({ pid }) => pid), hookPid()].filter(isAlive)
    await expect.poll(living).toEqual([])
    expect(commitsOf(repository)).toBe(1)
  })

  test('by the clock is a failed connection', async () => {
    const { repository } = slowRepository('')
    const error = await failureOf(push(repository, { timeoutMs: 1000 }))
    expect([error.code, error.details?.['reason']]).toEqual(['CONNECTION_FAILED', 'timed out'])
    expect(commitsOf(repository)).toBe(1)
  })

  test('before it began runs nothing', async () => {
    const { calls, program } = recordingGit(onTestFinished)
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(push(makeRepository(onTestFinished), { signal, programs: { git: program } })).rejects.toBe(
      reason,
    )
    expect(calls()).toEqual([])
  })
})

describe('the machine', () => {
  test('without git is told of', async () => {
    const error = await failureOf(push(makeRepository(onTestFinished), { programs: { git: '/nowhere/git' } }))
    expect([error.code, error.details?.['reason']]).toEqual(['CONNECTION_FAILED', 'git is not installed'])
  })

  test('with an old git is told of', async () => {
    const { program } = recordingGit(onTestFinished, 'echo git version 2.30.9; exit 0')
    const error = await failureOf(push(makeRepository(onTestFinished), { programs: { git: program } }))
    expect(error.details?.['reason']).toBe('git is too old')
  })

  test('has what pushes left that died removed, however new, and nothing else', async () => {
    const folder = makeFolder(onTestFinished)
    for (const name of ['stagecraft-push-old', 'stagecraft-push-new', 'other']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'key'), 'x')
    }
    writeFileSync(join(folder, 'stagecraft-push-new.lock'), '')
    const alive = join(folder, 'stagecraft-push-alive')
    mkdirSync(alive)
    const lock = takeLock(`${alive}.lock`)
    const repository = makeRepository(onTestFinished)
    await pushFiles({
      remote: repository.folder,
      branch: 'main',
      message: 'm',
      author: { name: 'a', email: 'e' },
      files: [{ path: 'a', content: 'a' }],
      lastPushed: new Map(),
      policy: { allowLocal: true, allowPrivateHosts: false },
      folder,
    })
    const left = ['other', 'stagecraft-push-alive', 'stagecraft-push-alive.lock']
    expect(readdirSync(folder).toSorted()).toEqual(left)
    lock?.release()
    await removeLeftovers(folder)
    expect(readdirSync(folder)).toEqual(['other'])
  })
})
