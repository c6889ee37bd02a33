export { openai, type OpenAiOptions } from './openai.ts'
