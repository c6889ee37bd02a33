import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { gitFaults } from './git-faults.ts'

const pem = (kind: string, body: string): string =>
  `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`
/** A key as OpenSSH writes it, up to the name of its cipher. */
const openssh = (cipher: string): string =>
  pem(
    'OPENSSH PRIVATE KEY',
    btoa(`openssh-key-v1\0\0\0\0${String.fromCodePoint(cipher.length)}${cipher}\0\0`),
  )
const { privateKey, publicKey } = generateKeyPairSync('ed25519')

function faultsOf(text: string) {
  const settings = { allowLocalFiles: false } as Parameters<typeof gitFaults>[1]
  return gitFaults({ remote: 'ssh://git@example.com/a.git', privateKey: text }, settings)
}

describe('a private key', () => {
  test.for([
    ['of OpenSSH', openssh('none')],
    ['of OpenSSH, pasted with other line ends', ` ${openssh('none').replaceAll('\n', '\r\n').trim()}`],
    ['of PEM', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['of the old PEM', pem('RSA PRIVATE KEY', 'MIIE')],
  ] as const)('is taken: %s', ([, text]) => {
    expect(faultsOf(text)).toEqual([])
  })

  test.for([
    ['OpenSSH with a passphrase', openssh('aes256-ctr')],
    ['PEM with a passphrase', pem('ENCRYPTED PRIVATE KEY', 'MIIE')],
    ['the old PEM with a passphrase', pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\n\nMIIE')],
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['no base64', pem('OPENSSH PRIVATE KEY', 's3cret!')],
    ['another text', 'ssh-ed25519 AAAA me'],
  ] as const)('is refused when it can never open anything, and is not repeated: %s', ([, text]) => {
    expect(faultsOf(text)).toEqual([
      {
        path: 'git.privateKey',
        expected: 'a private key without a passphrase, from -----BEGIN … PRIVATE KEY----- on',
        received: 'something else',
      },
    ])
  })
})
