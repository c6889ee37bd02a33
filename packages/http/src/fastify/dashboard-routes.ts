import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../answers/answer.ts'
import type { Logger } from '../ports/logger.ts'

/** A file of the dashboard. */
interface DashboardFile {
  /** Its media type. */
  readonly type: string
  readonly bytes: Uint8Array
  readonly brotli?: Uint8Array
  readonly gzip?: Uint8Array
}

/** The pages under `/app`: `openDashboard()` of `@stagecraft/dashboard`. */
export interface Dashboard {
  /** Returns the files by their path below `/app/`; called for each request. */
  files(): Promise<ReadonlyMap<string, DashboardFile>>
}

/** Forbids other origins, frames and inline scripts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

interface DashboardSetup {
  readonly dashboard: Dashboard
  readonly logger: Logger
}

/** Adds the pages under `/app`. They need no key: their data comes from `/v1`. */
export function addDashboardRoutes(app: FastifyInstance, { dashboard, logger }: DashboardSetup): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = (request.url.split('?', 1)[0] ?? '').slice('/app/'.length)
    const files = await dashboard.files().catch((error: unknown) => {
      logger.error({ requestId: request.id, error: String(error) }, 'the dashboard has no files')
    })
    if (!files) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
    const file = files.get(path) ?? (isPage(path, request) ? files.get('index.html') : undefined)
    if (!file) throw notFound(request.method, `/app/${path}`, [])
    return sendFile(file, { request, reply, isHashed: path.startsWith('assets/') })
  }
  app.get('/app', (_request, reply) => reply.redirect('/app/'))
  app.get('/app/', answer)
  app.get('/app/*', answer)
}

const NOT_BUILT =
  'The dashboard is not built. In a clone of the repository: npm run -s setup && node packages/dashboard/build.ts\n'

/** Returns true for a path that the pages route themselves, without a file. */
function isPage(path: string, { headers }: FastifyRequest): boolean {
  return path === '' || (!path.startsWith('assets/') && (headers.accept ?? '').includes('text/html'))
}

interface SendOptions {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** True if its name changes with its content. */
  readonly isHashed: boolean
}

function sendFile(file: DashboardFile, { isHashed, reply, request }: SendOptions): FastifyReply {
  const { 'accept-encoding': accepted = '' } = request.headers
  const [encoding, bytes] = chooseForm(file, accepted)
  return reply
    .headers({
      ...HEADERS,
      'content-type': file.type,
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    })
    .send(Buffer.from(bytes))
}

/** Returns the shortest encoding that a client accepts, with its name. */
function chooseForm(
  { brotli, bytes, gzip }: DashboardFile,
  accepted: string,
): readonly [encoding: string | undefined, bytes: Uint8Array] {
  const takes = new Set(
    accepted
      .split(',')
      .filter(isWanted)
      .map((part) => part.split(';', 1)[0]?.trim()),
  )
  if (brotli && takes.has('br')) return ['br', brotli]
  return gzip && takes.has('gzip') ? ['gzip', gzip] : [undefined, bytes]
}

/** Returns false for an encoding that is refused: `br;q=0`. */
function isWanted(part: string): boolean {
  return !/;\s*q=0(?:\.0*)?\s*$/.test(part)
}
