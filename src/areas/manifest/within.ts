import { Problem } from '../../core/problem.ts'

/** Does work on one object of a manifest; a refusal names its place: `websites[2].domain: …`. */
export async function within<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind.status >= 500) throw error
    const isField = /^[a-z_]+(?:[.[][\w.[\]]*)?: /.test(error.message)
    const detail = isField ? `${path}.${error.message}` : `${path}: ${error.message}`
    throw error.kind(detail, { cause: error, fields: error.fields })
  }
}
