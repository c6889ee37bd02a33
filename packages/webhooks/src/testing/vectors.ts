/** A delivery and its signatures, as other libraries compute them. */
export interface Vector {
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly body: string
  readonly service?: string
  readonly standard?: string
}

const BODY =
  '{"id":"evt_01","event":"job.completed","created_at":"2026-01-01T00:00:00.000Z","project_id":"proj_01","data":{}}'
const NEW_YEAR = 1_767_225_600

/** From the reference libraries of Standard Webhooks: JavaScript and its translations, and Rust. */
export const STANDARD_VECTORS: readonly Vector[] = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
    standard: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
    timestamp: 1_649_367_553,
    body: '{"email":"test@example.com","username":"test_user"}',
    standard: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
  },
]

/** From services that sign the same way: the documentation of GitHub, and Convoy with our prefix. */
export const SERVICE_VECTORS: readonly Vector[] = [
  {
    secret: "It's a Secret to Everybody",
    id: 'none',
    timestamp: 0,
    body: 'Hello, World!',
    service: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  },
  {
    secret: 'convoy-webhook-secret',
    id: 'none',
    timestamp: 0,
    body: '{"event":"charge.success","amount":1000,"currency":"NGN"}',
    service: 'sha256=244449b7f48cbc2709060c9dcdc2b3aa47a78f540430579015c579fb12defbb4',
  },
]

/** Our own, checked once with standardwebhooks 1.1.1, @octokit/webhooks-methods 6.0.0 and svix 2.5.0. */
export const OUR_VECTORS: readonly Required<Vector>[] = [
  {
    secret: 'my-shared-secret',
    id: 'evt_01',
    timestamp: NEW_YEAR,
    body: BODY,
    service: 'sha256=2650a12bd2c8108abc96cdab10cee520e5c414f659aaef190a94bad44404ba4a',
    standard: 'v1,vS0Rl3cXfwiyMZXErmw5Tkcnc7EMQE3Su0eBUzuFueo=',
  },
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'evt_01',
    timestamp: NEW_YEAR,
    body: BODY,
    service: 'sha256=4b1328015e4df78793886c5991e71f635efa56c58865cae6c7095656c7ac0703',
    standard: 'v1,zeQpfeIVxwrJ7dXQPX0vUBzPqrpXXM6dRWteSEFQqhk=',
  },
  {
    secret: 'пароль-🔑',
    id: 'evt_02',
    timestamp: NEW_YEAR,
    body: '{"id":"evt_02","event":"доставлено","created_at":"2026-01-01T00:00:00.000Z","project_id":"proj_01","data":{"s":"é😀\\u2028 \\"q\\" <>&"}}',
    service: 'sha256=7529c117d2c3f0a236b57d52eb5e7010c13a6a2cef52555969df1deb85fdb508',
    standard: 'v1,kqFtNJhV/RzFlM2x+8OJhEx9Eg6mexsNv5gIIdT+tvU=',
  },
  {
    secret: 's',
    id: 'evt_00',
    timestamp: NEW_YEAR,
    body: '{}',
    service: 'sha256=143ca8d517ba1b181025d732b1cf275d90104fca57bb02a565542978aa18c4b6',
    standard: 'v1,KYCMCgz1O5VTcB9lHZ+AM43dUYm2SLMadjot0gIaJcc=',
  },
]
