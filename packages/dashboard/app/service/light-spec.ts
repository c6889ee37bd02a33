// Replaces `@stagecraft/spec` in the pages, because its schemas would be most of their bytes. The service that
// answers also sent the pages, so data need no check: only envelopes are distinguished from other answers, such as
// those of a proxy.
import { StagecraftError } from '@stagecraft/spec/errors'

interface Light {
  safeParse(data: unknown): { readonly success: boolean; readonly data: unknown }
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null
}

/** Creates a schema that ignores all refinements. */
function light(accepts: (data: unknown) => boolean): Light {
  const schema: Light = new Proxy(() => schema, {
    get: (_, name) => (name === 'safeParse' ? (data: unknown) => ({ success: accepts(data), data }) : schema),
  }) as unknown as Light
  return schema
}

const isFailure = (data: unknown): boolean =>
  isObject(data) && isObject(data['error']) && isObject(data['meta']) && data['success'] === false

export { StagecraftError }
export const errorEnvelopeSchema = light(isFailure)
export const metaSchema = light(isObject)
export const successEnvelopeSchema = light(isObject)
export const generationSchema = light(isObject)
export const warningSchema = light(isObject)
