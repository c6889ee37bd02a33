import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RawConnection {
  send(text: string): void
  /** What came so far. */
  text(): string
  /** Resolves when the other side has ended. */
  readonly ended: Promise<void>
  close(): void
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket: Socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    send: (text) => void socket.write(text),
    text: () => received,
    ended,
    close: () => void socket.destroy(),
  }
}

/** Sends bytes as they are, and reads so many answers. */
export async function exchange(port: number, text: string, answers = 1): Promise<readonly RawAnswer[]> {
  const connection = await openRaw(port)
  connection.send(text)
  for (let waited = 0; waited < 5000; waited += 5) {
    const read = readAnswers(connection.text())
    if (read.length >= answers) {
      connection.close()
      return read
    }
    await sleep(5)
  }
  throw new Error(`expected ${answers} answers, got: ${connection.text()}`)
}

export function readAnswers(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; rest.includes('\r\n\r\n');) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) break
    answers.push({ status: Number(first.split(' ')[1]), headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
