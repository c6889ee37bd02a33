import { type DialectName, StagecraftError } from '@stagecraft/spec'
import { parseDialect } from './dialect-option.ts'
import { type CatalogForm, FORMS } from './forms.ts'

export interface ParsedCatalog {
  readonly form: CatalogForm
  /** The text between scheme and options. */
  readonly path: string
  readonly dialect: DialectName | undefined
  /** The encoding of the file, unless it is UTF-8. */
  readonly encoding: string | undefined
}

/**
 * Takes the text of a catalog apart, and opens nothing.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form.
 */
export function parseCatalog(text: string): ParsedCatalog {
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(text)?.[1] ?? '' // one letter is a drive of Windows
  const { dialect, encoding, path } = splitOptions(text.slice(scheme === '' ? 0 : scheme.length + 1))
  const form = path === '' ? undefined : findForm(scheme.toLowerCase(), path)
  if (!form) throw invalidCatalog(text, scheme)
  const useless = form.isText
    ? undefined
    : dialect !== undefined
      ? 'dialect'
      : encoding !== undefined
        ? 'encoding'
        : undefined
  if (useless !== undefined) throw uselessOption(form, useless)
  return { form, path, dialect, encoding }
}

function findForm(scheme: string, path: string): CatalogForm | undefined {
  if (scheme !== '') return FORMS.find(({ schemes }) => schemes.includes(scheme))
  const lower = path.toLowerCase()
  return FORMS.find(({ endings }) => endings?.some((ending) => lower.endsWith(ending)))
}

/** Takes `?dialect=…` and `&encoding=…` off the end; every other question mark is part of the path. */
function splitOptions(text: string): Pick<ParsedCatalog, 'path' | 'dialect' | 'encoding'> {
  const [, path = text, query] = /^(.*)\?((?:(?:dialect|encoding)=[^?&/]*(?:&(?=.)|$))+)$/s.exec(text) ?? []
  const options = new URLSearchParams(query)
  const [dialect, encoding] = [options.get('dialect'), options.get('encoding')]
  return {
    path,
    dialect: dialect === null ? undefined : parseDialect(dialect, 'catalog'),
    encoding: encoding === null ? undefined : parseEncoding(encoding),
  }
}

/** The name of an encoding as TextDecoder knows it: https://encoding.spec.whatwg.org/#names-and-labels */
function parseEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch (cause) {
    const expected = 'an encoding such as windows-1252, iso-8859-2, utf-16le or shift_jis'
    throw new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got "${name}"`, {
      cause,
      details: { faults: [{ path: 'encoding', expected, received: `"${name}"` }] },
    })
  }
}

/** The text may hold a password: of one with a scheme no more than that is repeated, of one with an @ nothing. */
function invalidCatalog(text: string, scheme: string): StagecraftError {
  const expected = `one of ${FORMS.map(({ example }) => example).join(', ')}`
  const known = scheme === '' ? text : `${scheme}:…`
  const received = /^[\w.+/\\:…~-]*$/.test(known) ? JSON.stringify(known) : 'another text'
  return StagecraftError.invalid({ path: 'catalog', expected, received })
}

function uselessOption({ example, schemes }: CatalogForm, option: 'dialect' | 'encoding'): StagecraftError {
  const expected = `${example} without ?${option}=, because it knows its ${option}`
  const received = `${schemes[0]}:…?${option}=…`
  return StagecraftError.invalid({ path: 'catalog', expected, received })
}
