/**
 * Limits votes: one per device and image, three per household address (however many cookies it deletes or invents), and six
 * per provider range. In decisions, each range counts once.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { appendAudit } from './audit.ts';
import { lockImage, rowsOf } from './rows.ts';
import type { VoteReply } from './schemas.ts';
import { auditName, type Voter } from './voter.ts';

export type Direction = 'up' | 'down';

const VOTERS_PER_ADDRESS = 3;
const VOTERS_PER_NETWORK = 6;

interface Vote {
  readonly voter: string;
  readonly direction: Direction;
  readonly address: string;
  readonly network: string;
  readonly by_cookie: boolean;
}

const votesOf = (em: EntityManager, imageId: number, { id, address, network }: Voter): Promise<Vote[]> =>
  rowsOf<Vote>(
    em,
    `select voter, direction, address, network, by_cookie from label_image_vote
     where image_id = ? and (voter = ? or address = ? or network = ?) order by at desc`,
    [imageId, id, address, network],
  );

/** Returns the vote that a new vote of the same caller replaces. */
const ownVote = (votes: readonly Vote[], voter: Voter): Vote | undefined =>
  votes.find((vote) => vote.voter === voter.id) ??
  (voter.byCookie ? undefined : votes.find((vote) => vote.address === voter.address && !vote.by_cookie));

/** Score in which each provider range counts once. Votes from before ranges were stored count by address. */
const VOICES = `select coalesce(sum(sign(votes)), 0)::int as voices from (
    select sum(case direction when 'up' then 1 else -1 end) as votes from label_image_vote
    where image_id = ? group by coalesce(nullif(network, ''), address, voter)) ranges`;

export const voicesFor = async (em: EntityManager, imageId: number): Promise<number> =>
  (await rowsOf<{ voices: number }>(em, VOICES, [imageId]))[0]?.voices ?? 0;

/** Counts from the votes themselves, because an incremental counter drifts. */
const recount = async (em: EntityManager, imageId: number) => {
  const [row] = await rowsOf<{ upvotes: number; downvotes: number }>(
    em,
    `update label_image set
       upvotes = (select count(*) from label_image_vote v where v.image_id = ? and v.direction = 'up'),
       downvotes = (select count(*) from label_image_vote v where v.image_id = ? and v.direction = 'down')
     where image_id = ? returning upvotes, downvotes`,
    [imageId, imageId, imageId],
  );
  return row ?? { upvotes: 0, downvotes: 0 };
};

/** Writes a vote; a direction of null deletes it. The caller must hold the lock on the image. */
export const writeVote = async (
  em: EntityManager,
  imageId: number,
  vote: {
    readonly voter: string;
    readonly address: string;
    readonly network: string;
    readonly byCookie: boolean;
    readonly direction: Direction | null;
  },
) => {
  if (vote.direction === null) {
    await em.execute('delete from label_image_vote where image_id = ? and voter = ?', [imageId, vote.voter]);
  } else {
    await em.execute(
      `insert into label_image_vote (image_id, voter, address, network, by_cookie, direction, at) values (?, ?, ?, ?, ?, ?, now())
       on conflict (image_id, voter) do update set
         direction = excluded.direction, by_cookie = label_image_vote.by_cookie or excluded.by_cookie, at = excluded.at`,
      [imageId, vote.voter, vote.address, vote.network, vote.byCookie, vote.direction],
    );
  }
  return recount(em, imageId);
};

/**
 * Casts or replaces the caller's vote in the transaction of `em`.
 * @throws AppError 404 for an image that is not shown.
 */
export const castVote = async (
  em: EntityManager,
  imageId: number,
  { voter, direction }: { readonly voter: Voter; readonly direction: Direction },
): Promise<Static<typeof VoteReply>> => {
  const image = await lockImage(em, imageId);
  const votes = await votesOf(em, imageId, voter);
  const own = ownVote(votes, voter);
  const countOf = (place: 'address' | 'network') => votes.filter((vote) => vote[place] === voter[place]).length;
  const isFull = countOf('address') >= VOTERS_PER_ADDRESS || countOf('network') >= VOTERS_PER_NETWORK;
  const { upvotes, downvotes } = image;
  const reply = { image_id: imageId, upvotes, downvotes, score: upvotes - downvotes };
  if (!own && isFull) return { ...reply, your_vote: null };
  const voterId = own?.voter ?? voter.id;
  const counts = await writeVote(em, imageId, {
    voter: voterId,
    address: voter.address,
    network: voter.network,
    byCookie: voter.byCookie,
    direction,
  });
  if (own?.direction !== direction) {
    const place = { voter: voterId, address: voter.address, network: voter.network };
    await appendAudit(em, {
      imageId,
      dsldId: image.dsld_id,
      who: auditName(voter),
      what: 'vote',
      before: { ...place, direction: own?.direction ?? null },
      after: { ...place, direction },
    });
  }
  return { image_id: imageId, ...counts, score: counts.upvotes - counts.downvotes, your_vote: direction };
};
