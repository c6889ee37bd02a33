-- keeps its place
select
    1 as day_number,
    '-- stagecraft: ignore SC403 is text' as note
