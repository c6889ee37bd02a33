import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashSink, sha256 } from './hash-contents.ts'
import { batchReader } from './read-contents.ts'

/** As `git cat-file --batch` prints it. */
const print = (contents: readonly Buffer[]): Buffer =>
  Buffer.concat(
    contents.flatMap((content, index) => [
      Buffer.from(`${index} blob ${content.length}\n`),
      content,
      Buffer.from('\n'),
    ]),
  )

test('hashes contents that come in pieces cut anywhere', () => {
  const byte = fc.constantFrom(0, 10, 13, 32, 48, 255)
  const contents = fc.array(fc.array(byte, { maxLength: 8 }).map((bytes) => Buffer.from(bytes)))
  fc.assert(
    fc.property(contents, fc.array(fc.integer({ min: 1, max: 7 })), (contents, sizes) => {
      const reader = batchReader(hashSink)
      let rest = print(contents)
      for (const size of [...sizes, rest.length]) {
        reader.take(rest.subarray(0, size))
        rest = rest.subarray(size)
      }
      expect([...reader.values]).toEqual(contents.map((content, index) => [`${index}`, sha256(content)]))
    }),
  )
})

test('passes over what is missing', () => {
  const reader = batchReader(hashSink)
  reader.take(Buffer.from('abc missing\nx blob 1\ny\n'))
  expect([...reader.values]).toEqual([['x', sha256(Buffer.from('y'))]])
})
