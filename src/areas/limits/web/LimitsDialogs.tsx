import Type from 'typebox'
import { OneOf, Optional } from '../../../core/schemas.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type LimitsOfUsers, LimitsEdit, type UserLimits } from '../model.ts'
import { limitTexts } from './limit-text.ts'
import { limitsCall, readLimitsAgain } from './queries.ts'

type Package = LimitsOfUsers['packages'][number]
type User = LimitsOfUsers['users'][number]
type Draft = Partial<Record<keyof UserLimits, number>>

/** What was asked for on the page. */
export type Asked =
  | { readonly kind: 'package'; readonly name: string | undefined; readonly limits: Partial<UserLimits> }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'user'; readonly user: User }

const most = (minimum: number, maximum: number) => Optional(Type.Integer({ minimum, maximum }))
const fields = {
  websites: most(0, 100_000),
  disk_mb: most(0, 100_000_000),
  cpu_percent: most(5, 100_000),
  memory_mb: most(64, 10_000_000),
  tasks: most(20, 1_000_000),
}
const { name: PackageName } = LimitsEdit.properties.packages.items.properties
const PackageForm = Type.Object({ name: PackageName, ...fields })
const own = 'Limits of its own'

/** Numbers of a form; what is empty is not limited. */
const limitsOf = (draft: Draft): Partial<UserLimits> =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const value = draft[name as keyof UserLimits]
      return typeof value === 'number' ? [[name, value]] : []
    }),
  )

const givenOf = (limits: Partial<UserLimits>) =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null))

interface DialogsProps {
  readonly asked: Asked
  readonly packages: readonly Package[]
  readonly onClose: () => void
}

/** The dialogs in which packages and the limits of users are changed. */
export function LimitsDialogs({ asked, packages, onClose }: DialogsProps) {
  const done = () => {
    onClose()
    notify('The limits were saved.')
    void readLimitsAgain()
  }
  const others = (name: string | undefined) =>
    packages.filter((each) => each.name !== name).map((each) => ({ name: each.name, limits: each.limits }))
  if (asked.kind === 'delete')
    return (
      <ChangeDialog
        title={`Delete the package ${asked.name}`}
        confirmLabel="Delete"
        isCutOff
        call={limitsCall({ packages: others(asked.name) })}
        onClose={onClose}
        onDone={done}
      />
    )
  if (asked.kind === 'user') return <UserDialog user={asked.user} {...{ packages, onClose, onDone: done }} />
  const { name, limits } = asked
  return (
    <PlannedForm
      title={name === undefined ? 'New package' : `Edit the package ${name}`}
      confirmLabel="Save"
      schema={PackageForm}
      text={limitTexts}
      except={name === undefined ? [] : ['name']}
      given={{ ...givenOf(limits), name: name ?? '' }}
      callOf={(draft: Draft & { readonly name?: string }) =>
        limitsCall({
          packages: [...others(name), { name: name ?? draft.name ?? '', limits: limitsOf(draft) }],
        })
      }
      onClose={onClose}
      onDone={done}
    />
  )
}

interface UserDialogProps extends Omit<DialogsProps, 'asked'> {
  readonly user: User
  readonly onDone: () => void
}

function UserDialog({ user, packages, onClose, onDone }: UserDialogProps) {
  const schema = Type.Object({
    package: OneOf([own, ...packages.map(({ name }) => name)]),
    ...fields,
  })
  return (
    <PlannedForm
      title={`Limit ${user.username}`}
      confirmLabel="Save"
      schema={schema}
      text={{
        package: { label: 'Package', hint: 'The limits below hold for a user without a package' },
        ...limitTexts,
      }}
      given={{ package: user.package ?? own, ...(user.package === null ? givenOf(user.limits) : {}) }}
      callOf={({ package: name, ...draft }: Draft & { readonly package: string }) =>
        limitsCall({
          users: [
            name === own
              ? { user_id: user.user_id, limits: limitsOf(draft) }
              : { user_id: user.user_id, package: name },
          ],
        })
      }
      onClose={onClose}
      onDone={onDone}
    />
  )
}
