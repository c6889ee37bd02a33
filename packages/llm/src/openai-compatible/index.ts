export { openaiCompatible, type OpenAiCompatibleOptions } from './openai-compatible.ts'
