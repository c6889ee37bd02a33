import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import { StagecraftError } from '@stagecraft/spec'
import type { Address } from './address.ts'

interface TlsFiles {
  /** The trusted certificates. Default: the ones of Node. */
  readonly ca?: string | undefined
  /** The client certificate. */
  readonly cert?: string | undefined
  /** The private key of the client certificate. */
  readonly key?: string | undefined
  /** @default true */
  readonly rejectUnauthorized?: boolean
}

/** The options of an address that name TLS files, with the names that PostgreSQL uses. */
const FILES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const

/**
 * Creates the `fetch` for the options `sslrootcert`, `sslcert`, `sslkey` and `verify=false` of an address;
 * undefined if Node's own `fetch` is enough.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a file that cannot be read.
 */
export async function fetchOf({ option }: Address): Promise<typeof globalThis.fetch | undefined> {
  const rejectUnauthorized = option('verify') !== 'false'
  const names = Object.entries(FILES).filter(([, name]) => option(name) !== undefined)
  if (rejectUnauthorized && names.length === 0) return undefined
  const files = await Promise.all(
    names.map(async ([part, name]) => [part, await readPart(name, option(name) ?? '')] as const),
  )
  return tlsFetch({ ...Object.fromEntries(files), rejectUnauthorized })
}

async function readPart(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const received = `${path}, which cannot be read`
    throw StagecraftError.invalid({ path: `catalog: ${name}`, expected: 'a PEM file', received }, { cause })
  }
}

/** Creates a `fetch` with certificates, which Node's own does not support. It does not follow redirects. */
function tlsFetch(files: TlsFiles): typeof globalThis.fetch {
  const agent = new Agent({ ...files, keepAlive: true })
  return async (url, { body, headers, method = 'GET', signal } = {}) => {
    const answer = Promise.withResolvers<Response>()
    const sent = request(
      url instanceof Request ? url.url : url,
      {
        agent,
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal && { signal }),
      },
      (incoming) => {
        const { headers: received, statusCode: status = 0 } = incoming
        const pairs = Object.entries(received).flatMap(([name, value]) =>
          [value ?? []].flat().map((item): [string, string] => [name, item]),
        )
        if (status >= 300 && status < 400) answer.reject(new TypeError('redirects are not followed'))
        const hasBody = status !== 204 && status !== 304
        if (!hasBody) incoming.resume()
        const stream = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null
        answer.resolve(new Response(stream, { status, headers: pairs }))
      },
    )
    sent.on('error', answer.reject)
    sent.end(typeof body === 'string' ? body : undefined)
    return answer.promise
  }
}
