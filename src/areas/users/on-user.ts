import { type Context, endpoint } from './context.ts'
import { UserPath } from './model.ts'

interface OfUser {
  readonly params: { readonly uid: number }
}

/** Declares an endpoint of one user, who is loaded first; 404 where there is none. */
export const onUser = endpoint.with({
  params: UserPath,
  target: ({ params, users }: Context & OfUser) => users.queries.load(params.uid),
})
