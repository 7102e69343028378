import { isSame } from '../../../core/steps.ts'
import {
  createUser,
  editUser,
  noPassword,
  setPermissions,
  type UserEdit,
  type UserRow,
} from '../../users/index.ts'
import type { Manifests } from '../context.ts'
import type { ManifestUser } from '../manifest-model.ts'
import { type Applying, type Part, PartDraft } from '../part.ts'
import { ManifestInvalid } from '../problems.ts'
import { within } from '../within.ts'

/** Decides on the users of a manifest. */
export async function decideUsers(on: Manifests, applying: Applying): Promise<Part> {
  const part = new PartDraft()
  for (const [index, wanted] of (applying.input.manifest.users ?? []).entries())
    await within(`users[${index}]`, async () => {
      const user = await on.users.queries.byEmail(wanted.email)
      if (user === undefined) await create(part, wanted, index, applying)
      else await change(part, { user, wanted, index }, applying)
    })
  return part
}

async function create(part: PartDraft, wanted: ManifestUser, index: number, applying: Applying) {
  const { planned, passwords, input, now, isPlan } = applying
  const { email, fullname = email, username, is_admin, permissions, is_suspended } = wanted
  if (is_suspended === true)
    throw ManifestInvalid('is_suspended: a new user cannot be suspended: apply the manifest without it first')
  const id = input.ids.users[index]!
  const path = `users[${index}]`
  const object = `user ${email.toLowerCase()}`
  await planned.chooseUid()
  const created = await createUser(
    planned.users,
    {
      ...{ email, fullname, password: passwords.take(`${path}.password`, object) },
      ...(username !== undefined && { username }),
      ...(is_admin !== undefined && { is_admin }),
      ...(permissions !== undefined && { permissions }),
    },
    { ...applying, id: () => id, ...(isPlan && { hash: async () => noPassword }) },
  )
  planned.addPerson({ id, email: email.toLowerCase(), fullname, username }, now)
  const details = [
    ...(username === undefined ? [] : [`Linux account ${username}`]),
    ...(is_admin === true ? ['superuser'] : []),
  ]
  part.add({ action: 'create', object, path, details }, created)
}

interface Changing {
  readonly user: UserRow
  readonly wanted: ManifestUser
  readonly index: number
}

async function change(part: PartDraft, { user, wanted, index }: Changing, applying: Applying) {
  const { planned, now } = applying
  const edit = editOf(user, wanted)
  const held = await planned.users.queries.permissionsOf(user.id)
  const { permissions } = wanted
  const isGranting = permissions !== undefined && !isSame(permissions.toSorted(), held.toSorted())
  const details = [...Object.keys(edit), ...(isGranting ? ['permissions'] : [])]
  if (details.length === 0) return
  const changes = []
  const request = { ...applying, id: () => user.id }
  if (Object.keys(edit).length > 0) {
    await planned.chooseUid()
    changes.push(await editUser(planned.users, user, edit, request))
    planned.addPerson({ ...user, username: edit.username }, now)
  }
  const wasActive = user.is_admin === 1 && user.is_suspended === 0
  if (wasActive && (edit.is_admin === false || edit.is_suspended === true)) planned.addLostSuperuser()
  if (edit.is_suspended === true)
    part.risks.push(`The user ${user.email} is suspended, and signed out at once`)
  if (edit.is_admin === false) part.risks.push(`The user ${user.email} is no superuser any more`)
  if (isGranting) changes.push(await setPermissions(planned.users, user, permissions, request))
  part.add({ action: 'change', object: `user ${user.email}`, path: `users[${index}]`, details }, ...changes)
}

function editOf(user: UserRow, { fullname, username, is_admin, is_suspended }: ManifestUser): UserEdit {
  return {
    ...(fullname !== undefined && fullname !== user.fullname && { fullname }),
    ...(username !== undefined && username !== user.username && { username }),
    ...(is_admin !== undefined && is_admin !== (user.is_admin === 1) && { is_admin }),
    ...(is_suspended !== undefined && is_suspended !== (user.is_suspended === 1) && { is_suspended }),
  }
}
