import { Problem } from '../../core/problem.ts'
import { type NamedPath, type Owner, textOf } from '../../host/owner/index.ts'

const atOnce = 500

/**
 * Removes everything in a home that its owner can remove, locked files too. What belongs to others there is left to
 * userdel, and so is the whole home where confined programs do not run.
 */
export async function emptyHome(owner: Owner, signal: AbortSignal): Promise<void> {
  await ignoringRefusals(async () => {
    const options = { page: 1, perPage: atOnce, showHidden: true }
    for (let more = true; more;) {
      const { items, total } = await owner.list('', options)
      let removed = 0
      for (const { name, name_b64 } of items) {
        const path = name_b64 === undefined ? name : textOf(Buffer.from(name_b64, 'base64'))
        removed += (await removeEntry(owner, path, signal)) ? 1 : 0
      }
      more = removed > 0 && total > items.length
    }
  })
}

async function removeEntry(owner: Owner, path: string | NamedPath, signal: AbortSignal): Promise<boolean> {
  const remove = () => ignoringRefusals(() => owner.remove([path], { recursive: true, signal }))
  if (await remove()) return true
  await ignoringRefusals(() => owner.lock(path, false, { recursive: true, signal }))
  return remove()
}

/** True if the owner was able to do it. */
async function ignoringRefusals(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
