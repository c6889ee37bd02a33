import { generateKeyPairSync, sign } from 'node:crypto'

// Tags of DER, see https://letsencrypt.org/docs/a-warm-welcome-to-asn1-and-der/
const INTEGER = 0x02
const BITS = 0x03
const OCTETS = 0x04
const OBJECT = 0x06
const TEXT = 0x0c
const TIME = 0x17
const TIME_AFTER_2049 = 0x18
const SEQUENCE = 0x30
const SET = 0x31

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT, bytes('2a8648ce3d040302')))
const COMMON_NAME = der(OBJECT, bytes('550403'))
const SUBJECT_ALTERNATIVE_NAME = der(OBJECT, bytes('551d11'))

// This date means "never" in RFC 5280 (4.1.2.5), so tests do not depend on the day.
const BEGIN = der(TIME, Buffer.from('000101000000Z'))
const LONG_AGO = der(TIME, Buffer.from('010101000000Z'))
const NEVER = der(TIME_AFTER_2049, Buffer.from('99991231235959Z'))

export interface Certificate {
  /** In PEM. */
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  /** The host of the certificate. */
  readonly name: string
  /** True for a certificate that expired long ago. @default false: it never expires */
  readonly isExpired?: boolean
}

/** Creates a self-signed certificate, the same on any day. */
export function selfSigned({ name, isExpired = false }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const who = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(TEXT, Buffer.from(name)))))
  const names = der(OCTETS, der(SEQUENCE, der(0x82, Buffer.from(name))))
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, bytes('02'))),
    der(INTEGER, bytes('01')),
    ECDSA_WITH_SHA256,
    who,
    der(SEQUENCE, BEGIN, isExpired ? LONG_AGO : NEVER),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, names))),
  )
  const signature = der(BITS, bytes('00'), sign('sha256', content, privateKey))
  const whole = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
