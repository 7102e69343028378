import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import type { Place } from './whose.ts'
import { WhosePicker } from './WhosePicker.tsx'

/** Explains how to reach files if the signed-in user has no home. */
export function WhoseFiles({ place }: { readonly place: Place }) {
  const me = useMe()
  return (
    <Page title="Files" about={<WhosePicker place={place} />}>
      {me.isPending && <Loading />}
      {me.data?.is_admin && <Empty title="Choose an owner">Choose an account or a website above.</Empty>}
      {me.data && !me.data.is_admin && (
        <Empty
          title="Your account has no Linux user"
          action={<LinkButton to="/websites">Websites</LinkButton>}
        >
          Files belong to an account. Open those of a website from its page.
        </Empty>
      )}
    </Page>
  )
}
