import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type OnFinished, PLAIN_ENVIRONMENT } from './repositories.ts'

export interface GitServerOptions {
  /** The folder of the repositories. */
  readonly root: string
  /** The value that `Authorization` must have. @default whatever comes is served */
  readonly authorization?: string
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** Answers in the place of git, where it returns true. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export interface GitServer {
  readonly port: number
  /** Method and path of what came. */
  readonly requests: readonly string[]
}

/** Smart HTTP on this machine, served by the CGI program that comes with git. */
export async function startGitServer(onFinished: OnFinished, options: GitServerOptions): Promise<GitServer> {
  const requests: string[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (options.intercept?.(request, response) === true) return
    if (options.authorization !== undefined && request.headers.authorization !== options.authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no')
      return
    }
    serve(request, response, options.root)
  }
  const server =
    options.certificate === undefined
      ? createServer(listener)
      : createTlsServer(options.certificate, listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

function serve(request: IncomingMessage, response: ServerResponse, root: string): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const header = (name: string): string => [request.headers[name] ?? ''].flat().join(', ')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...PLAIN_ENVIRONMENT,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: 'pusher',
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  child.stdin.on('error', () => {})
  child.stderr.resume()
  request.pipe(child.stdin)
  void answer(child.stdout, response)
}

/** A CGI program prints a head of lines, an empty line, and the body. */
async function answer(output: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  let head = Buffer.alloc(0)
  let isBody = false
  for await (const chunk of output) {
    if (isBody) {
      response.write(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) continue
    isBody = true
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(/: ?(.*)/s)
      if (name.toLowerCase() === 'status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
  }
  response.end()
}
