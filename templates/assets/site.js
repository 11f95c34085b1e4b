// Only improves: each page works without it.

// A link to a finding or its sources opens what it points at.
const openTarget = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  target?.querySelector?.('details:not(.wrong)')?.setAttribute('open', '');
};
addEventListener('hashchange', openTarget);
if (location.hash.startsWith('#on-')) openTarget();

// Citations: the reference stands beside the number under pointer or keyboard focus, links and all. It stays while the
// pointer is on either or the focus within, and goes at Escape. A finger follows the plain link.
let shown = null;
let wait = 0;
const citationOf = (target) => target.closest?.('a[href^="#ref-"]');

const hideCard = () => {
  clearTimeout(wait);
  shown?.card.remove();
  shown?.link.removeAttribute('aria-describedby');
  shown?.place.classList.remove('has-card');
  shown = null;
};

const copyOf = (reference) => {
  const card = document.createElement('span');
  card.className = 'ref-card';
  card.id = 'ref-card';
  for (const node of reference.cloneNode(true).childNodes) card.append(node.cloneNode(true));
  for (const node of card.querySelectorAll('[id]')) node.removeAttribute('id');
  return card;
};

const showCard = (link) => {
  if (shown?.link === link) return clearTimeout(wait);
  hideCard();
  const reference = document.getElementById(link.hash.slice(1));
  if (!reference) return;
  const place = link.parentElement;
  const card = copyOf(reference);
  link.after(card);
  place.classList.add('has-card');
  link.setAttribute('aria-describedby', card.id);
  shown = { link, card, place };
  // Below the number, or above it where the window ends; never over an edge.
  const { top, bottom, left } = link.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const isAbove = bottom + height > innerHeight && top > height;
  const edge = document.documentElement.clientWidth - width - 16;
  card.style.top = `${link.offsetTop + (isAbove ? -height : link.offsetHeight)}px`;
  card.style.left = `${link.offsetLeft + Math.max(16, Math.min(left, edge)) - left}px`;
};

addEventListener('pointerover', ({ target, pointerType }) => {
  if (pointerType !== 'mouse') return;
  const link = citationOf(target);
  if (link) {
    clearTimeout(wait);
    wait = setTimeout(showCard, shown ? 0 : 120, link);
  } else if (shown?.card.contains(target)) {
    clearTimeout(wait);
  } else if (shown && !shown.place.contains(document.activeElement)) {
    clearTimeout(wait);
    wait = setTimeout(hideCard, 250);
  } else if (!shown) {
    clearTimeout(wait);
  }
});
addEventListener('focusin', ({ target }) => {
  const link = citationOf(target);
  if (link?.matches(':focus-visible')) showCard(link);
  else if (shown && !shown.card.contains(target)) hideCard();
});
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !shown) return;
  const { link, card } = shown;
  // The focus comes back from a link of the card, and that must not open it again.
  if (card.contains(document.activeElement)) link.focus();
  hideCard();
});
