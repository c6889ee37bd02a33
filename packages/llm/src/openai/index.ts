export { openai } from './openai.ts'
export { type OpenAiOptions } from './responses-backend.ts'
