/** The mark that replaces a secret. */
const MARK = '***'

/**
 * A pattern of secrets. The group `kept` of a match stays, to show the kind of secret. The left edge of a word is not
 * `\b`, because in a line of JSON a line break before it is a backslash and an n.
 */
const EDGE = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=\\u[0-9a-f]{4}))`

/** The parameters and assignments that contain secrets, but not a placeholder such as `token=<token>`. */
const PARAMETER = new RegExp(
  String.raw`(?<kept>(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|(?:access|private|secret|account|shared)[_-]?(?:access[_-]?)?key|authorization|credentials?|sig(?:nature)?)(?:=|%3d|\\?"\s*:\s*\\?"))(?!<[\w -]{1,40}>(?![^\s&;,"'\\)\]}]))[^\s&;,"'\\)\]}]+`,
  'gi',
)

const FORMS: readonly RegExp[] = [
  // keys of Stagecraft, also parts of them, in any position
  /(?<kept>sk_(?:live|test)_)[0-9A-Za-z]{6,}(?:_[0-9A-Za-z]{1,6}(?![0-9A-Za-z]))?/g,
  new RegExp(
    String.raw`${EDGE}(?<kept>sk_(?:[a-z][a-z0-9]{0,20}_)?)[0-9A-Za-z]{6,}(?:_[0-9A-Za-z]{1,6}(?![0-9A-Za-z]))?`,
    'g',
  ),
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
  /(?<kept>whsec_|whsk_)[\w+/=-]{6,}/g,
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1 and https://www.rfc-editor.org/rfc/rfc7617#section-2
  new RegExp(
    String.raw`${EDGE}(?<kept>(?:bearer|basic)(?:\s|%20|\+)+|authorization:\s*(?:\w+\s+)?)[\w.~+/=%-]{8,}`,
    'gi',
  ),
  // https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1, plain and percent-encoded
  /(?<kept>[a-z][a-z0-9+.-]{0,20}(?::\/\/|%3a%2f%2f))(?:(?!%40|%2f)[^\s/?#"'<>\\]){1,2000}(?:@|%40)/gi,
  PARAMETER,
  // https://docs.anthropic.com/en/api/admin-api, https://platform.openai.com/docs/api-reference/authentication, OpenRouter,
  // https://docs.stripe.com/keys
  new RegExp(String.raw`${EDGE}(?<kept>(?:sk|pk|rk)[-_])[\w-]{8,}`, 'g'),
  // https://github.blog/engineering/behind-githubs-new-authentication-token-formats/
  /(?<kept>gh[pousr]_|github_pat_)\w{10,}/g,
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  /(?<kept>gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-)[\w.-]{10,}/g,
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  new RegExp(String.raw`${EDGE}(?<kept>A(?:KIA|SIA|ROA|IDA))[0-9A-Z]{12,}`, 'g'),
  // https://cloud.google.com/docs/authentication/api-keys, https://developers.google.com/identity/protocols/oauth2
  /(?<kept>AIza|ya29\.)[\w-]{20,}/g,
  // https://docs.databricks.com/aws/en/dev-tools/auth/pat
  new RegExp(String.raw`${EDGE}(?<kept>d(?:api|ose|kea))[0-9a-f]{16,}(?:-\d+)?`, 'g'),
  // https://api.slack.com/authentication/token-types
  /(?<kept>xox[a-z]-|xapp-)[\w-]{10,}/g,
  // Hugging Face, npm, PyPI, dbt Cloud, SendGrid, DigitalOcean, Groq, xAI, Replicate, MotherDuck
  new RegExp(
    String.raw`${EDGE}(?<kept>hf_|npm_|pypi-|dbt[cu]_|SG\.|do[opr]_v1_|gsk_|xai-|r8_)[\w.=-]{16,}`,
    'g',
  ),
  // https://www.rfc-editor.org/rfc/rfc7519
  /(?<kept>eyJ)[\w-]{6,4000}\.[\w-]{6,}(?:\.[\w-]*)?/g,
  // https://www.rfc-editor.org/rfc/rfc7468, in one line or many
  /(?<kept>-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
]

/**
 * Masks keys, tokens, passwords in addresses and private keys in a text. The rest shows the kind: `sk_live_***`,
 * `postgres://***@host/db`.
 */
export function redactSecrets(text: string): string {
  // Words with percent escapes first: cutting a part of a secret would leave its encoded rest.
  return redact(text.includes('%') ? text.replaceAll(/[^\s"]+/g, redactEncoded) : text)
}

/**
 * Masks the values of secret parameters in a text as well: `md:db?motherduck_token=***`. Example addresses with a user
 * and a password stay as they are.
 */
export function redactParameters(text: string): string {
  return text.replaceAll(PARAMETER, `$<kept>${MARK}`)
}

/** Returns an error with `redactParameters` applied to all its texts. */
export function redactError<Value>(value: Value): Value {
  return redactIn(value, () => true)
}

/** The keys of an answer that contain messages. Files, SQL and descriptions are data and stay as they are. */
const MESSAGES: ReadonlySet<string> = new Set(['message', 'reason', 'suggestion', 'warning'])

/** Returns an answer with `redactParameters` applied to its warnings. */
export function redactMessages<Value>(value: Value): Value {
  return redactIn(value, (key) => MESSAGES.has(key))
}

/** Copies only changed parts. */
function redactIn<Value>(value: Value, isIncluded: (key: string) => boolean, key?: string): Value
function redactIn(value: unknown, isIncluded: (key: string) => boolean, key = ''): unknown {
  if (typeof value === 'string') return isIncluded(key) ? redactParameters(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const redacted = items.map((item) => redactIn(item, isIncluded, key))
    return redacted.every((item, index) => item === items[index]) ? value : redacted
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const entries = Object.entries(value).map(([name, inner]): readonly [string, unknown, boolean] => {
    const redacted: unknown = redactIn(inner, isIncluded, name)
    return [name, redacted, redacted !== inner]
  })
  return entries.some(([, , isChanged]) => isChanged)
    ? Object.fromEntries(entries.map(([name, inner]) => [name, inner]))
    : value
}

function redact(text: string): string {
  return FORMS.reduce(
    (left, form) =>
      left.replaceAll(form, (match: string, ...rest: readonly unknown[]) => {
        const groups = rest.at(-1)
        const kept: unknown =
          typeof groups === 'object' && groups !== null ? Reflect.get(groups, 'kept') : undefined
        const end = /(?:@|%40)$/i.exec(match)?.[0] ?? ''
        return `${typeof kept === 'string' ? kept : ''}${MARK}${end}`
      }),
    text,
  )
}

/** Masks a word with percent escapes if it contains a secret when decoded. */
function redactEncoded(word: string): string {
  if (!word.includes('%')) return word
  const decoded = decode(word, DEEPEST)
  const redacted = redact(decoded)
  return redacted === decoded ? word : redacted.replaceAll(/[\s"\\\p{Cc}]/gu, encodeURIComponent)
}

/** The depth of addresses inside addresses. */
const DEEPEST = 3

/** Decodes the escapes of ASCII, and escapes that result from decoding. */
function decode(word: string, depth: number): string {
  const once = word.replaceAll(/%[0-7][0-9a-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  )
  return once === word || depth === 0 ? once : decode(once, depth - 1)
}
