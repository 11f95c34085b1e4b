// Only improves: a link to a finding or its sources opens what it points at; printing needs nothing.
const openTarget = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  target?.querySelector?.('details')?.setAttribute('open', '');
};
addEventListener('hashchange', openTarget);
if (location.hash.startsWith('#on-')) openTarget();
