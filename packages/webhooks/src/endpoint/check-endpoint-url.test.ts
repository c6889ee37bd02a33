import { describe, expect, test } from 'vitest'
import { checkEndpointUrl, ENDPOINT_PROBLEMS } from './check-endpoint-url.ts'
import type { DeliveryPolicy } from './policy.ts'

const reasonOf = (text: string, policy?: DeliveryPolicy): string => {
  const check = checkEndpointUrl(text, policy)
  return check.ok ? check.href : check.reason
}
const LITERALS = { allowLiterals: true }

test.each([
  ['https://example.com/hook', 'https://example.com/hook'],
  ['https://hooks.customer.io:8443/x', 'https://hooks.customer.io:8443/x'],
  ['https://1.1.1.1/', 'https://1.1.1.1/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://172.32.0.1/', 'https://172.32.0.1/'],
  ['https://100.128.0.1/', 'https://100.128.0.1/'],
  ['https://example.com./', 'https://example.com./'],
  ['https://example.com\\@127.0.0.1/', 'https://example.com/@127.0.0.1/'],
  ['https://example.com?@127.0.0.1/', 'https://example.com/?@127.0.0.1/'],
  ['https://exa\tmple.com', 'https://example.com/'],
  ['https://127.0.0.1.nip.io/', 'https://127.0.0.1.nip.io/'],
  ['https://localtest.me/', 'https://localtest.me/'],
  ['HTTPS://EXAMPLE.COM:443', 'https://example.com/'],
])('%j is normalized to %s', (text, href) => {
  expect(reasonOf(text, LITERALS)).toBe(href)
})

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_',
  'javascript:alert(1)',
  'ws://example.com/',
  'data:text/plain,x',
])('%s has the wrong scheme', (text) => {
  expect(reasonOf(text, LITERALS)).toBe('scheme')
})

test.each([
  'https://',
  '//127.0.0.1/',
  'example.com',
  '',
  'https://256.256.256.256/',
  'https://4294967296/',
  'https://[127.0.0.1]/',
  'https://[fe80::1%25eth0]/',
  'https://example.com:65536/',
  'https://127.0.0.1%00.example.com/',
  'https://example.com%40127.0.0.1/',
])('%j is not a URL', (text) => {
  expect(reasonOf(text, LITERALS)).toBe('not_a_url')
})

test('refuses an empty name in punycode, which Node 22 does not parse and Node 24 does', () => {
  expect(['not_a_url', 'local_name']).toContain(reasonOf('https://xn--/'))
})

const LOOPBACK =
  '127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 0x7f.1 127.0.0.1. 00000177.0.0.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127%2e0%2e0%2e1 %31%32%37.0.0.1'
const METADATA = '⑯⑨。②⑤④。⑯⑨。②⑤④ 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.169.254'
const OTHER_IPV4 =
  '0 0.0.0.0 168.63.129.16 100.100.100.200 192.0.0.192 10.0.0.1 10.255.255.255 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1'
const IPV6 =
  '[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [::ffff:8.8.8.8] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::8.8.8.8] [64:ff9b:1::a00:1] [2002:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:db8::1] [3fff::1] [5f00::1] [100::1] [100:0:0:1::1] [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [ff02::1]'

test.each([
  ...[LOOPBACK, METADATA, OTHER_IPV4, IPV6].flatMap((row) =>
    row.split(' ').map((host) => `https://${host}/`),
  ),
  'https://127.0.0.1\\.example.com/',
  'https:127.0.0.1/',
  'https:///127.0.0.1/',
  'https:\\\\127.0.0.1/',
  'https://\t127.0.0.1/',
  'https://127.0.0.1../',
])('%j is a special address', (text) => {
  expect(reasonOf(text, LITERALS)).toBe('private_address')
  expect(reasonOf(text)).toBe('private_address')
})

test.each(
  'localhost LOCALHOST localhost. localhost.. foo.localhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ metadata metadata.google.internal metadata.google.internal. kubernetes.default.svc db.corp api.cluster.local x.local x.home.arpa x.lan x.test x.invalid x.onion x.alt printer metadata.tencentyun.com'.split(
    ' ',
  ),
)('%s is a local name', (host) => {
  expect(reasonOf(`https://${host}/`, LITERALS)).toBe('local_name')
})

test.each([
  'svc.example.com',
  'local.example.com',
  'mylan.com',
  'notlocalhost.com',
  'corp.com',
  'x.home.arpa.com',
])('%s is a public name', (host) => {
  expect(reasonOf(`https://${host}/`)).toBe(`https://${host}/`)
})

test.each([
  'https://user:pass@example.com/',
  'https://user@example.com/',
  'https://:pass@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1@example.com/',
])('%s has user information', (text) => {
  expect(reasonOf(text, LITERALS)).toBe('userinfo')
})

test('refuses fragments, which are never sent', () => {
  expect(new URL('https://example.com#@127.0.0.1/').hostname).toBe('example.com')
  expect(reasonOf('https://example.com#@127.0.0.1/')).toBe('fragment')
  expect(reasonOf('https://example.com/#')).toBe('fragment')
})

test('refuses IP addresses unless the policy allows them', () => {
  expect(reasonOf('https://1.1.1.1/')).toBe('address_literal')
  expect(reasonOf('https://[2606:4700:4700::1111]/')).toBe('address_literal')
})

test('refuses more than 2048 characters, before and after normalization', () => {
  const url = 'https://example.com/'
  expect(reasonOf(url + 'x'.repeat(2048 - url.length))).toContain(url)
  expect(reasonOf(url + 'x'.repeat(2049 - url.length))).toBe('too_long')
  expect(reasonOf(url + 'é'.repeat(1000))).toBe('too_long')
})

describe('ports', () => {
  test.each([443, 1024, 3000, 4443, 8080, 8443, 65_535])('%i is allowed', (port) => {
    expect(reasonOf(`https://example.com:${port}/`)).toContain('https://example.com')
  })

  test.each([0, 22, 25, 80, 1023, 2375, 3306, 5432, 6379, 9200, 11_211, 27_017])('%i is refused', (port) => {
    expect(reasonOf(`https://example.com:${port}/`)).toBe('port')
  })

  test('are limited to those of the policy', () => {
    const policy = { ports: [8443, [9000, 9002]] } as const
    expect(
      [8443, 9000, 9002, 9003, 443].map((port) => reasonOf(`https://a.example.com:${port}/`, policy)),
    ).toEqual([
      'https://a.example.com:8443/',
      'https://a.example.com:9000/',
      'https://a.example.com:9002/',
      'port',
      'port',
    ])
  })
})

describe('an allow-list', () => {
  const policy = { allowCidrs: ['10.0.0.0/8', '127.0.0.0/8'], allowHttp: true }

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:8080/',
    'https://10.1.2.3/',
    'http://receiver:8080/',
    'https://hooks.internal/',
    'http://localhost:3000/',
    'http://example.com/',
  ])('accepts %s, which is checked when it connects', (text) => {
    expect(reasonOf(text, policy)).toBe(text)
  })

  test.each([
    ['http://1.1.1.1/', 'http_public'],
    ['http://[2606:4700:4700::1111]/', 'http_public'],
    ['http://169.254.169.254/', 'private_address'],
    ['https://1.1.1.1/', 'address_literal'],
    ['https://192.168.0.1/', 'private_address'],
    ['https://metadata.google.internal/', 'local_name'],
    ['https://x.onion/', 'local_name'],
    ['http://169.254.169.254/', 'private_address'],
  ])('does not allow %s', (text, reason) => {
    expect(reasonOf(text, { ...policy, allowCidrs: [...policy.allowCidrs, '169.254.0.0/16'] })).toBe(reason)
  })

  test('is required for http', () => {
    expect(reasonOf('http://127.0.0.1/', { allowCidrs: ['127.0.0.0/8'] })).toBe('scheme')
    expect(reasonOf('http://example.com/', { allowHttp: true })).toBe('scheme')
  })
})

test('a refusal says what was expected and what was found, without the URL', () => {
  expect(checkEndpointUrl('hooks-and-a-token')).toEqual({
    ok: false,
    reason: 'not_a_url',
    expected: 'a URL such as https://example.com/webhooks',
    received: 'text that is not a URL',
  })
  for (const { expected, received } of Object.values(ENDPOINT_PROBLEMS)) {
    expect(expected).not.toBe('')
    expect(received).not.toBe('')
  }
})
