import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../../webhooks/src/testing/certificate.ts'
import { pushFiles } from './push-files.ts'
import type { PushOptions, PushOutcome, SentCommit } from './push-options.ts'
import { type GitServerOptions, startGitServer } from './testing/git-server.ts'
import { recordingGit } from './testing/recording-git.ts'
import { makeFolder, makeRepository, type TestRepository } from './testing/repositories.ts'

const TOKEN = 's3cret-tok3n'
const basic = (user: string, token: string): string =>
  `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
const AUTHORIZATION = basic('x-access-token', TOKEN)
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

async function push(remote: string, change: Partial<PushOptions> = {}): Promise<PushOutcome> {
  const folder = makeFolder(onTestFinished)
  try {
    return await pushFiles({
      remote,
      branch: 'main',
      message: 'Staging models',
      author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
      files: [{ path: 'models/a.sql', content: 'select 1\n' }],
      lastPushed: new Map(),
      policy: { allowLocal: false, allowPrivateHosts: true },
      ...change,
      folder,
    })
  } finally {
    expect(readdirSync(folder)).toEqual([])
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

/** Everything that an error could show to somebody. */
const textOf = (error: StagecraftError): string =>
  [inspect(error, { depth: 10, showHidden: true }), error.stack, JSON.stringify(error.details)].join('\n')

async function serve(options: Partial<GitServerOptions> = {}) {
  const repository = makeRepository(onTestFinished)
  const server = await startGitServer(onTestFinished, { root: dirname(repository.folder), ...options })
  const scheme = options.certificate === undefined ? 'http' : 'https'
  return { repository, server, remote: `${scheme}://127.0.0.1:${server.port}/repository.git` }
}

const commitsOf = (repository: TestRepository, branch = 'main'): number =>
  Number(repository.git('rev-list', '--count', branch))

/** The arguments of all processes of this machine. */
function commandLines(): readonly string[] {
  return spawnSync('ps', ['-A', '-o', 'args=']).stdout.toString().split('\n')
}

test('pushes with a token, which no argument holds', async () => {
  const { remote, repository } = await serve({ authorization: AUTHORIZATION })
  repository.git('config', 'uploadpack.allowFilter', 'true')
  const { calls, program } = recordingGit(onTestFinished)
  const options = { credentials: { token: TOKEN }, programs: { git: program } }
  const first = await push(remote, options)
  expect(first).toMatchObject({ outcome: 'pushed', commit: repository.git('rev-parse', 'main') })
  const second = await push(remote, {
    ...options,
    files: [{ path: 'models/a.sql', content: 'select 2\n' }],
    lastPushed: first.pushed,
    branch: 'other',
  })
  expect(second).toMatchObject({ outcome: 'pushed', files: [{ change: 'changed' }] })
  expect(repository.read('models/a.sql', 'other')).toBe('select 2\n')
  expect(calls().length).toBeGreaterThan(10)
  const shown = calls()
    .map(({ parameters }) => parameters)
    .join('\n')
  expect(shown).not.toContain(TOKEN)
  expect(shown).not.toContain(AUTHORIZATION.slice(6))
})

test('keeps the token out of the arguments of helpers too', async () => {
  const seen: string[] = []
  const { remote } = await serve({
    authorization: AUTHORIZATION,
    intercept: () => {
      seen.push(...commandLines())
      return false
    },
  })
  await push(remote, { credentials: { token: TOKEN } })
  expect(
    seen.filter((line) => line.includes('git-remote-http') || line.includes('remote-http')).length,
  ).toBeGreaterThan(0)
  expect(seen.filter((line) => line.includes(TOKEN) || line.includes(AUTHORIZATION.slice(6)))).toEqual([])
})

test('takes another user name', async () => {
  const { remote } = await serve({ authorization: basic('me@example.com', 'pä ss:"$x') })
  const credentials = { username: 'me@example.com', token: 'pä ss:"$x' }
  expect(await push(remote, { credentials })).toMatchObject({ outcome: 'pushed' })
})

test('pushes more than git sends in one piece', async () => {
  const { remote, repository } = await serve({ authorization: AUTHORIZATION })
  const contents = Array.from({ length: 40 }, () => randomBytes(60_000).toString('base64'))
  const files = contents.map((content, index) => ({ path: `models/${index}.sql`, content }))
  await push(remote, { files, credentials: { token: TOKEN } })
  expect(repository.read('models/39.sql')).toBe(contents[39])
})

test('pushes without credentials to a server that wants none', async () => {
  const { remote, repository } = await serve()
  repository.commit({ a: 'a' })
  await push(remote)
  expect(commitsOf(repository)).toBe(2)
})

test.each(['true', 'false'])('tells changes of others, with contents left out: %s', async (allowFilter) => {
  const { remote, repository } = await serve()
  repository.git('config', 'uploadpack.allowFilter', allowFilter)
  repository.commit({ 'a.sql': 'ours', 'b.sql': 'theirs' })
  const lastPushed = new Map([
    ['a.sql', sha('ours')],
    ['b.sql', sha('ours')],
  ])
  const files = ['a.sql', 'b.sql'].map((path) => ({ path, content: 'new' }))
  const error = await failureOf(push(remote, { files, lastPushed }))
  expect(error.details).toMatchObject({ reason: 'files_changed', files: ['b.sql'] })
  await push(remote, { files: files.slice(0, 1), lastPushed })
  expect(repository.read('a.sql')).toBe('new')
})

describe('credentials that are', () => {
  test.each([
    ['wrong', { token: `${TOKEN}-wrong` }],
    ['missing', undefined],
  ])('%s fail without being told', async (_, credentials) => {
    const { remote, repository } = await serve({ authorization: AUTHORIZATION })
    const error = await failureOf(push(remote, { ...(credentials && { credentials }) }))
    expect([error.code, error.details?.['reason']]).toEqual([
      'CONNECTION_FAILED',
      'the credentials were rejected',
    ])
    expect(textOf(error)).not.toMatch(/s3cret|czNjcmV0|Authorization|127\.0\.0\.1/)
    expect(repository.git('for-each-ref')).toBe('')
  })

  test('good for reading alone fail at the push', async () => {
    const { remote } = await serve({
      intercept: (request, response) => {
        if (!(request.url ?? '').includes('git-receive-pack')) return false
        response.writeHead(403).end(`remote: ${TOKEN}`)
        return true
      },
    })
    const error = await failureOf(push(remote, { credentials: { token: TOKEN } }))
    expect(error.details).toMatchObject({ reason: 'the credentials may not write to the repository' })
    expect(textOf(error)).not.toContain(TOKEN)
  })

  test('asked for again at the push fail, without a question to anybody', async () => {
    const { remote } = await serve({
      intercept: (request, response) => {
        if (!(request.url ?? '').includes('git-receive-pack')) return false
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
        return true
      },
    })
    const error = await failureOf(push(remote))
    expect(error.details).toMatchObject({ reason: 'the credentials were rejected' })
  })
})

describe('a server that', () => {
  test.each([
    [404, 'repository not found'],
    [429, 'the server limits the number of requests'],
    [500, 'the server failed'],
    [503, 'the server failed'],
  ])('answers %i', async (status, reason) => {
    const { remote } = await serve({
      intercept: (_, response) => {
        response.writeHead(status).end('secret words of the server')
        return true
      },
    })
    const error = await failureOf(push(remote))
    expect([error.code, error.details?.['reason']]).toEqual(['CONNECTION_FAILED', reason])
    expect(textOf(error)).not.toContain('secret words')
  })

  test.each([301, 302, 307, 308])('redirects with %i is not followed', async (status) => {
    const other = await serve({ authorization: AUTHORIZATION })
    const { remote } = await serve({
      intercept: (request, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${other.server.port}${request.url}` }).end()
        return true
      },
    })
    const error = await failureOf(push(remote, { credentials: { token: TOKEN } }))
    expect(error.details).toMatchObject({ reason: 'the server redirects, which is not followed' })
    expect(other.server.requests).toEqual([])
  })

  test('redirects only the push is not followed either', async () => {
    const other = await serve()
    const { remote, repository } = await serve({
      intercept: (request, response) => {
        if (!(request.url ?? '').includes('receive-pack')) return false
        response.writeHead(307, { location: `http://127.0.0.1:${other.server.port}${request.url}` }).end()
        return true
      },
    })
    repository.commit({ a: 'a' })
    const error = await failureOf(push(remote, { credentials: { token: TOKEN } }))
    expect(error.code).toBe('CONNECTION_FAILED')
    expect(other.server.requests).toEqual([])
  })

  test('leads to objects elsewhere is not followed', async () => {
    const other = await serve()
    const { remote, server } = await serve({
      intercept: (request, response) => {
        const url = request.url ?? ''
        if (url.includes('info/refs')) response.end(`${'1'.repeat(40)}\trefs/heads/main\n`)
        else if (url.includes('alternates'))
          response.end(`http://127.0.0.1:${other.server.port}/repository.git/objects\n`)
        else response.writeHead(404).end()
        return true
      },
    })
    expect((await failureOf(push(remote))).code).toBe('CONNECTION_FAILED')
    expect(server.requests.length).toBeGreaterThan(1)
    expect(other.server.requests).toEqual([])
  })

  test('is no Git server', async () => {
    const { remote } = await serve({
      intercept: (_, response) => {
        response.end('<html>')
        return true
      },
    })
    expect((await failureOf(push(remote))).details).toMatchObject({ reason: 'there is no Git repository' })
  })

  test('has no such repository', async () => {
    const { remote } = await serve()
    const error = await failureOf(push(remote.replace('repository.git', 'other.git')))
    expect(error.details).toMatchObject({ reason: 'repository not found' })
  })

  test('is not there', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { readonly port: number }
    server.close()
    const error = await failureOf(push(`http://127.0.0.1:${port}/x.git`))
    expect(error.details).toMatchObject({ reason: 'connection refused' })
  })

  test('ends the connection', async () => {
    const { remote } = await serve({
      intercept: (request) => {
        request.socket.destroy()
        return true
      },
    })
    expect((await failureOf(push(remote))).details).toMatchObject({ reason: 'the connection was lost' })
  })

  test('ends the connection during the push leaves nothing half done', async () => {
    const { remote, repository } = await serve({
      intercept: (request) => {
        const isPush = request.method === 'POST' && (request.url ?? '').endsWith('git-receive-pack')
        if (isPush) request.socket.destroy()
        return isPush
      },
    })
    const head = repository.commit({ a: 'a' })
    expect((await failureOf(push(remote))).details).toMatchObject({ reason: 'the connection was lost' })
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  /** Lets the first push land, and answers it in its own way. */
  const dying = (end: (request: IncomingMessage, response: ServerResponse) => void) => {
    let isDead = false
    return (request: IncomingMessage, response: ServerResponse): boolean => {
      const isPush = request.method === 'POST' && (request.url ?? '').endsWith('git-receive-pack')
      if (isPush && !isDead) {
        isDead = true
        response.write = () => true
        response.end = () => {
          end(request, response)
          return response
        }
      }
      return false
    }
  }

  test('lands the push and ends the connection before a word is asked again by curl', async () => {
    const { remote, repository, server } = await serve({
      intercept: dying((request) => request.socket.destroy()),
    })
    expect(await push(remote)).toMatchObject({ outcome: 'pushed', files: [{ change: 'added' }] })
    expect(commitsOf(repository)).toBe(1)
    expect(server.requests.filter((line) => line === 'POST /repository.git/git-receive-pack')).toHaveLength(2)
  })

  test('lands the push and dies in its answer fails, and a rerun knows the commit', async () => {
    const { remote, repository } = await serve({
      intercept: dying((request, response) => {
        response.flushHeaders()
        setTimeout(() => request.socket.destroy(), 20)
      }),
    })
    const trailers = { 'Stagecraft-Push': 'push_1' }
    const sent: SentCommit[] = []
    const onSend = async (commit: SentCommit): Promise<void> => void sent.push(commit)
    expect((await failureOf(push(remote, { trailers, onSend }))).details).toMatchObject({
      reason: 'the connection was lost',
    })
    expect(await push(remote, { trailers, sent: [...sent], onSend })).toMatchObject({
      outcome: 'pushed',
      commit: repository.git('rev-parse', 'main'),
      files: [{ path: 'models/a.sql', change: 'added' }],
    })
    expect(commitsOf(repository)).toBe(1)
  })

  test('declines by a hook', async () => {
    const { remote, repository } = await serve()
    repository.hook('pre-receive', `echo 'GH006: Protected branch ${TOKEN}' >&2; exit 1`)
    const error = await failureOf(push(remote))
    expect([error.code, error.details?.['reason']]).toEqual(['INVALID_REQUEST', 'rejected'])
    expect(textOf(error)).not.toContain(TOKEN)
  })

  test('hangs is left when the time is up, and when the caller wants', async () => {
    const sockets = new Set<Socket>()
    const { remote } = await serve({
      intercept: ({ socket }) => {
        sockets.add(socket)
        return true
      },
    })
    const error = await failureOf(push(remote, { timeoutMs: 500 }))
    expect(error.details).toMatchObject({ reason: 'timed out' })
    const controller = new AbortController()
    const reason = new Error('enough')
    const ended = push(remote, { signal: controller.signal }).catch((error: unknown) => error)
    await expect.poll(() => sockets.size).toBe(2)
    controller.abort(reason)
    expect(await ended).toBe(reason)
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true)
  })
})

describe('over https', () => {
  const setUp = async () => {
    const certificate = selfSigned({ name: 'git.example.com' })
    const caFile = join(makeFolder(onTestFinished), 'ca.pem')
    writeFileSync(caFile, certificate.cert)
    const { repository, server } = await serve({ certificate, authorization: AUTHORIZATION })
    const remote = `https://git.example.com:${server.port}/repository.git`
    // No other DNS knows that name: only the pinned address leads there.
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    return { repository, server, remote, lookup, caFile, credentials: { token: TOKEN } }
  }

  test('connects to the address that was checked, and checks the certificate against the name', async () => {
    const { repository, remote, server, ...options } = await setUp()
    expect(await push(remote, options)).toMatchObject({ outcome: 'pushed' })
    expect(commitsOf(repository)).toBe(1)
    expect(server.requests.length).toBeGreaterThan(0)
  })

  test('trusts no certificate that nobody vouches for', async () => {
    const { caFile: _, lookup, remote, server } = await setUp()
    const error = await failureOf(push(remote, { lookup, credentials: { token: TOKEN } }))
    expect(error.details).toMatchObject({
      reason: 'the certificate of the server is not trusted, or TLS fails',
    })
    expect(server.requests).toEqual([])
  })

  test('connects to no address that is closed', async () => {
    const { remote, server, ...options } = await setUp()
    const policy = { allowLocal: false, allowPrivateHosts: false }
    const error = await failureOf(push(remote, { ...options, policy }))
    expect([error.code, error.details?.['reason']]).toEqual(['INVALID_REQUEST', 'host_closed'])
    expect(server.requests).toEqual([])
  })
})
