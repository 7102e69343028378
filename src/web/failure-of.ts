import { ApiError } from './wire.ts'

/** Reads the error of a response that reports one. */
export async function failureOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as { error?: unknown }
  const error = typeof body.error === 'string' ? { message: body.error } : body.error
  return new ApiError(answer.status, (error ?? {}) as Record<string, unknown>)
}
