// A receiver in a process of its own. Prints its port, and on request how long events took to arrive.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How long each event took since the last request, in milliseconds. */
const latencies: number[] = []

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const now = Date.now()
    const { created_at } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly created_at: string }
    latencies.push(now - Date.parse(created_at))
    response.end('{"received":true}')
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => process.send?.(latencies.splice(0)))
process.on('disconnect', () => process.exit())
