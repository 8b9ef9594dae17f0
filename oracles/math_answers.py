r"""
What lm-evaluation-harness 0.4.13 makes of pairs of answers in the manner of MATH: its functions with SymPy 1.14 and math_verify 0.9, timeouts made twenty times as long so that a slow machine changes nothing.

    python oracles/math_answers.py > test/task/harness/ports/math/golden/answers.json

A case: {"solution", "response", "judged"}; judged: a digit for each metric, - where a function raises – Minerva's exact_match and math_verify, the leaderboard's exact_match and exact_match_original, Hendrycks', AIME, Putnam-AXIOM, AGIEval, HRM8K.

Halves: the port was mended by `pairs` and `ugly` (tuned), of which it has seen all. `unseen` and `prose` (held) were written after it and recorded once, to say how far it agrees on what it was not made for; nothing is mended by them.
"""
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import signal
import sys

import datasets
import lm_eval

datasets.disable_progress_bars()
# some of the functions print
recorded, sys.stdout = sys.stdout, sys.stderr
alarm = signal.alarm
signal.alarm = lambda seconds: alarm(seconds * 20)

tasks = os.path.join(os.path.dirname(lm_eval.__file__), "tasks")


def module(path):
    spec = importlib.util.spec_from_file_location("own", os.path.join(tasks, path))
    own = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(own)
    return own


files = {name: module(path) for name, path in {"minerva": "minerva_math/utils.py", "leaderboard": "leaderboard/math/utils.py", "hendrycks": "hendrycks_math/utils.py", "aime": "aime/utils.py", "putnam": "putnam_axiom/utils.py", "agieval": "agieval/utils.py", "hrm8k": "hrm8k/default/utils.py"}.items()}

# gold: answers, right and wrong
pairs = {
    r"2": ["2", "3", "2.0", "+2", r"\frac{4}{2}", r"1+1", r"\sqrt{4}", r"2^1", r"\text{two}", "x=2", "two", r"2\text{ apples}", "-2", r"2\%"],
    r"\frac{1}{2}": ["1/2", "0.5", ".5", r"\frac12", r"\dfrac{1}{2}", r"\frac{2}{4}", r"2^{-1}", "0.50", r"-\frac{1}{2}", r"\frac{1}{3}", r"50\%", r"\frac{\sqrt{4}}{4}", r"\tfrac 1 2"],
    r"-\frac{2}{3}": ["-2/3", r"\frac{-2}{3}", r"\frac{2}{-3}", r"-0.666667", r"-.667", r"\frac{2}{3}", r"-\frac{4}{6}", r"-\frac23"],
    r"\frac{\sqrt{3}}{3}": [r"\frac{1}{\sqrt{3}}", r"\frac{\sqrt3}{3}", r"\sqrt{3}/3", r"\sqrt{\frac{1}{3}}", r"3^{-1/2}", r"\frac{\sqrt{2}}{3}", "0.577350", r"\tan 30^\circ", r"\frac{3}{3\sqrt{3}}"],
    r"2\sqrt{3}": [r"\sqrt{12}", r"2\cdot\sqrt{3}", r"\sqrt{3}\cdot 2", r"12^{1/2}", r"\frac{6}{\sqrt{3}}", r"3\sqrt{2}", r"3.4641016", r"2 \sqrt 3", r"2*\sqrt{3}"],
    r"3+2\sqrt{2}": [r"(1+\sqrt{2})^2", r"2\sqrt2+3", r"\frac{1}{3-2\sqrt{2}}", r"3+\sqrt{8}", r"5.828427", r"3-2\sqrt{2}", r"1+\sqrt{2}+2+\sqrt{2}"],
    r"1+\sqrt{2}": [r"\sqrt{3+2\sqrt{2}}", r"\frac{1}{\sqrt{2}-1}", r"\sqrt{2}+1", r"1-\sqrt{2}", r"\frac{2+\sqrt{8}}{2}"],
    r"\sqrt[3]{2}": [r"2^{1/3}", r"2^{\frac13}", r"\sqrt[3]{16}/2", r"\sqrt{2}", r"\sqrt[6]{4}", r"1.259921", r"\sqrt[3]2"],
    r"\sqrt[4]{9}": [r"\sqrt{3}", r"9^{0.25}", r"3", r"\sqrt[4]{3^2}"],
    r"\pi": [r"3.14159", r"3.141593", r"\frac{2\pi}{2}", r"\pi r", r"2\pi", "pi", r"\pi\text{ cm}", r"180^\circ"],
    r"\frac{\pi}{6}": [r"\pi/6", r"\frac{1}{6}\pi", r"30^\circ", r"\frac{2\pi}{12}", r"\arcsin\frac{1}{2}", r"\frac{\pi}{3}", r"0.5236", r"\frac16 \pi"],
    r"9\pi": [r"9 \pi", r"3^2\pi", r"9\cdot\pi", r"\pi\cdot 9", r"28.27", r"6\pi", r"9\pi\text{ square units}", r"\frac{27\pi}{3}"],
    r"16\pi - 8\sqrt{3}": [r"8(2\pi-\sqrt{3})", r"-8\sqrt3+16\pi", r"16\pi+8\sqrt{3}", r"16\pi-\sqrt{192}"],
    r"1+2i": ["2i+1", r"1+2 i", r"1-2i", r"\frac{5}{1-2i}", r"(1+2i)", r"i(2-i)", r"1+2j"],
    r"-4+3i": [r"3i-4", r"(1+2i)(2-i)-8", r"i^2-3+3i", r"-4-3i", r"i(3+4i)"],
    r"e^2": [r"e \cdot e", r"\exp(2)", r"7.389056", r"e^{2}", r"2e", r"E^2"],
    r"\ln 2": [r"\ln(2)", r"\log 2", r"\frac{1}{2}\ln 4", r"\log_e 2", r"0.693147", r"\ln 4-\ln 2", r"\ln 3"],
    r"\log_2 3": [r"\frac{\ln 3}{\ln 2}", r"\log_{2}{3}", r"\log_2(3)", r"\log_3 2", r"\log_4 9", r"\frac{\log 3}{\log 2}"],
    r"\infty": [r"+\infty", r"-\infty", r"\text{infinity}", "inf", r"1/0", "oo"],
    r"x^2+2x+1": [r"(x+1)^2", r"1+2x+x^2", r"x^2+2x", r"x(x+2)+1", r"(x+1)(x+1)", r"y^2+2y+1", r"x^{2}+2 x+1", r"(1+x)^{2}", r"x^2 + 2x + 1 = 0"],
    r"(x-3)(x+3)": [r"x^2-9", r"(x+3)(x-3)", r"-(3-x)(3+x)", r"(x-3)^2", r"x^2+9", r"(x - 3)(3 + x)"],
    r"\frac{x+1}{x-1}": [r"\frac{x^2-1}{(x-1)^2}", r"1+\frac{2}{x-1}", r"\frac{-x-1}{1-x}", r"\frac{x-1}{x+1}", r"(x+1)/(x-1)", r"\frac{(x+1)}{(x-1)}"],
    r"3x^2y - 2xy^2": [r"xy(3x-2y)", r"-2xy^2+3x^2y", r"3x^2y+2xy^2", r"3yx^2-2y^2x"],
    r"a^2-b^2": [r"(a-b)(a+b)", r"(a+b)(a-b)", r"b^2-a^2", r"-(b-a)(b+a)", r"(a-b)^2"],
    r"\frac{1}{x}+\frac{1}{y}": [r"\frac{x+y}{xy}", r"\frac{y+x}{x y}", r"\frac{2}{x+y}", r"x^{-1}+y^{-1}"],
    r"2^n": [r"2^{n}", r"2\cdot 2^{n-1}", r"4^{n/2}", r"n^2", r"\frac{2^{n+1}}{2}", r"2^{n}-1"],
    r"2^{n+1}-2": [r"2(2^n-1)", r"2\cdot2^n-2", r"2^{n+1}-1", r"2^{n}-2"],
    r"\sin^2 x": [r"1-\cos^2 x", r"\sin x\sin x", r"(\sin x)^2", r"\frac{1-\cos 2x}{2}", r"\cos^2 x", r"\sin(x)^2", r"\sin{x^2}"],
    r"\sin 2x": [r"2\sin x\cos x", r"\sin(2x)", r"2\sin x", r"\sin x \cdot 2\cos x"],
    r"\tan x": [r"\frac{\sin x}{\cos x}", r"\cot x", r"\frac{1}{\cot x}", r"\tan(x)"],
    r"\sqrt{x^2}": [r"|x|", "x", r"\left|x\right|", r"(x^2)^{1/2}"],
    r"|x-1|": [r"|1-x|", r"\left|x-1\right|", r"x-1", r"\sqrt{(x-1)^2}"],
    r"5!": ["120", r"5\cdot 4!", r"5\cdot4\cdot3\cdot2", "60", r"\frac{6!}{6}"],
    r"\binom{5}{2}": ["10", r"\dbinom{5}{2}", r"\frac{5!}{2!3!}", r"\binom{5}{3}", "20", r"{5 \choose 2}"],
    r"(1,2)": [r"(1, 2)", r"\left(1,2\right)", r"(2,1)", r"1,2", r"[1,2]", r"(1.0, 2)", r"(1,2]", r"x=1, y=2", r"(\frac{2}{2}, \sqrt{4})", r"\{1,2\}"],
    r"(3,-1)": [r"(3, -1)", r"\left( 3, -1\right)", r"(3,1)", r"(-1,3)", r"3,-1", r"(3;-1)", r"(\frac{6}{2},-1)"],
    r"\left( 3, \frac{\pi}{2} \right)": [r"(3,\pi/2)", r"(3,\frac{\pi}{2})", r"(3,90^\circ)", r"(3, 1.570796)", r"(\frac{\pi}{2},3)"],
    r"(1,2,3)": [r"\left(1,2,3\right)", r"(1, 2, 3)", r"1,2,3", r"(3,2,1)", r"\begin{pmatrix} 1 \\ 2 \\ 3 \end{pmatrix}", r"\{1,2,3\}"],
    r"[2,5)": [r"[2, 5)", r"\left[2,5\right)", r"2 \le x < 5", r"(2,5)", r"[2,5]", r"x\in[2,5)", r"5>x\geq 2", r"2\leq x<5"],
    r"(-\infty,3)": [r"(-\infty, 3)", r"x<3", r"x \lt 3", r"(-\infty,3]", r"\left(-\infty,3\right)", r"3>x", r"(-\infty, \sqrt{9})"],
    r"(-\infty,-1]\cup[2,\infty)": [r"(-\infty, -1] \cup [2, \infty)", r"[2,\infty)\cup(-\infty,-1]", r"(-\infty,-1)\cup(2,\infty)", r"(-\infty,-1]\cup[2,+\infty)", r"x\le -1 \text{ or } x\ge 2"],
    r"[0,\infty)": [r"x\ge 0", r"x \geq 0", r"[0, +\infty)", r"(0,\infty)", r"0\le x", r"[0,1]\cup[1,\infty)"],
    r"\{1,2,3\}": [r"\{3,2,1\}", r"1,2,3", r"\{1,2\}", r"\left\{1,2,3\right\}", r"3, 1, 2", r"1,2,\text{ and }3"],
    r"1,-2": ["-2,1", "1, -2", r"x=1,-2", r"x=1 \text{ or } x=-2", r"-1,2", r"\{1,-2\}", r"1\text{ and }-2", r"(1,-2)"],
    r"\pm 2": [r"2,-2", r"-2,2", r"\pm2", r"\pm\sqrt{4}", "2", r"x=\pm 2", r"\{-2,2\}"],
    r"1\pm\sqrt{3}": [r"1+\sqrt{3},1-\sqrt{3}", r"1-\sqrt{3},1+\sqrt{3}", r"1\pm \sqrt3", r"\frac{2\pm\sqrt{12}}{2}", r"1+\sqrt{3}", r"-1\pm\sqrt{3}"],
    r"x=3": ["3", r"x = 3", r"y=3", r"3=x", r"x=4", r"x=\frac{6}{2}", r"2x=6"],
    r"y=2x+3": [r"2x+3", r"y = 2x+3", r"y=3+2x", r"y-2x=3", r"2x-y+3=0", r"y=2x-3", r"y-3=2x", r"f(x)=2x+3"],
    r"x^2+y^2=4": [r"x^2+y^2-4=0", r"y^2+x^2=4", r"x^2+y^2=2", r"x^2=4-y^2", r"4=x^2+y^2", r"2x^2+2y^2=8"],
    r"f(x)=x^2": [r"x^2", r"y=x^2", r"f(x)=x\cdot x", r"f(x)=x^3", r"g(x)=x^2"],
    r"x>2": [r"2<x", r"(2,\infty)", r"x\ge 2", r"x > 2", r"x<2", r"2x>4"],
    r"-1\le x\le 3": [r"[-1,3]", r"-1 \leq x \leq 3", r"x\in[-1,3]", r"3\ge x\ge -1", r"(-1,3)", r"-1<x<3"],
    r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}": [r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", r"\begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}", r"\begin{pmatrix} 1 & 2.0 \\ \frac{6}{2} & 2^2 \end{pmatrix}", r"\left[\begin{matrix} 1 & 2 \\ 3 & 4\end{matrix}\right]"],
    r"\begin{pmatrix} -1 \\ 5 \end{pmatrix}": [r"\begin{pmatrix}-1\\5\end{pmatrix}", r"(-1,5)", r"\begin{bmatrix}-1\\5\end{bmatrix}", r"\begin{pmatrix} 5 \\ -1 \end{pmatrix}", r"\begin{pmatrix} -1 & 5 \end{pmatrix}"],
    r"\begin{pmatrix} 1/5 \\ -2/5 \end{pmatrix}": [r"\begin{pmatrix} \frac{1}{5} \\ -\frac{2}{5} \end{pmatrix}", r"\begin{pmatrix} 0.2 \\ -0.4 \end{pmatrix}", r"\frac{1}{5}\begin{pmatrix} 1 \\ -2 \end{pmatrix}", r"\begin{pmatrix} 1/5 \\ 2/5 \end{pmatrix}"],
    r"90^\circ": ["90", r"90^{\circ}", r"90\text{ degrees}", "90 degrees", r"\frac{\pi}{2}", r"45^\circ", r"90.0^\circ"],
    r"10\%": ["10", r"0.1", r"10 \%", r"10%", r"\frac{1}{10}", r"10\text{ percent}", "10 percent", r"1\%"],
    r"15\text{ cm}": ["15", r"15 cm", r"15\mbox{ cm}", r"15\text{ cm}^2", r"15\text{ inches}", "16", r"15\,\text{cm}", r"\text{15 cm}"],
    r"12\text{ square units}": ["12", "12 square units", r"12\text{ units}^2", r"12 \text{ sq units}", "13"],
    r"\$5.50": ["5.50", r"\$5.5", "5.5", r"\$5.05", r"5.50\text{ dollars}", r"$5.50", "5 dollars"],
    r"1,000": ["1000", r"1{,}000", r"1,\!000", r"10^3", "1 000", r"1000.0", "100", r"1\text{ thousand}"],
    r"12,345,678": ["12345678", r"12{,}345{,}678", r"12 345 678", "1234567"],
    r"3\frac{1}{2}": [r"\frac{7}{2}", "3.5", r"3 \frac{1}{2}", "7/2", r"\frac{3}{2}", r"3+\frac12", "3 1/2"],
    r"0.125": [r"\frac{1}{8}", "1/8", ".125", r"12.5\%", r"2^{-3}", "0.1250", "0.13"],
    r"0.\overline{3}": [r"\frac{1}{3}", r"0.333", r"0.3\overline{3}", r"0.\overline{3}", "0.333333"],
    r"3.7\times 10^5": ["370000", r"3.7\cdot10^5", r"370{,}000", r"3.7\times 10^{5}", r"37\times10^4", r"3.7\times 10^6", "3.7e5", "3.7E5"],
    r"2^{10}": ["1024", r"4^5", r"32^2", "1000", r"2^{11}/2"],
    r"10^{100}": [r"10^{99}\cdot 10", r"(10^{50})^2", r"100^{50}", r"10^{101}"],
    r"\text{A}": ["A", r"\text{(A)}", r"(A)", r"\mathrm{A}", "B", r"\text{a}", r"\textbf{A}", r"A."],
    r"\text{Yes}": ["yes", "Yes", r"\text{yes}", r"\text{No}", r"\textbf{Yes}"],
    r"\text{Evelyn}": ["Evelyn", r"\text{evelyn}", r"\text{ Evelyn }", r"\text{Bob}", r"\mbox{Evelyn}"],
    r"\text{Monday}": ["Monday", r"\text{Tuesday}", r"\mathrm{Monday}", r"\textit{Monday}"],
    r"\text{odd}": ["odd", r"\text{even}", r"\text{Odd}"],
    r"\frac{a+b}{2}": [r"\frac{1}{2}(a+b)", r"(a+b)/2", r"\frac{a}{2}+\frac{b}{2}", r"\frac{a-b}{2}", r"0.5(a+b)", r"\frac{b+a}{2}"],
    r"\frac{3}{4}\sqrt{7}": [r"\frac{3\sqrt{7}}{4}", r"0.75\sqrt{7}", r"\frac{21}{4\sqrt{7}}", r"\frac{4\sqrt{7}}{3}", r"\sqrt{\frac{63}{16}}"],
    r"\frac{1+\sqrt{5}}{2}": [r"\frac{\sqrt{5}+1}{2}", r"1.618034", r"\frac{2}{\sqrt{5}-1}", r"\frac{1-\sqrt{5}}{2}", r"\phi", r"\sqrt{\frac{3+\sqrt{5}}{2}}", r"0.5+\frac{\sqrt5}{2}"],
    r"\sqrt{2}+\sqrt{3}": [r"\sqrt{3}+\sqrt{2}", r"\sqrt{5+2\sqrt{6}}", r"\sqrt{5}", r"\frac{1}{\sqrt{3}-\sqrt{2}}", r"3.146264"],
    r"\sqrt{6}": [r"\sqrt{2}\sqrt{3}", r"\sqrt{2}\cdot\sqrt{3}", r"\frac{6}{\sqrt{6}}", r"\sqrt 6", r"6^{1/2}", r"\frac{\sqrt{24}}{2}", "6"],
    r"\cos 60^\circ": [r"\frac{1}{2}", r"\cos\frac{\pi}{3}", "0.5", r"\sin 30^\circ"],
    r"\cos\frac{\pi}{3}": [r"\frac{1}{2}", "0.5", r"\sin\frac{\pi}{6}", r"\cos(\pi/3)", r"\frac{\sqrt{3}}{2}"],
    r"e^{i\pi}": ["-1", r"e^{\pi i}", r"\cos\pi+i\sin\pi", "1"],
    r"e^{2\pi i/3}": [r"-\frac{1}{2}+\frac{\sqrt{3}}{2}i", r"e^{\frac{2\pi i}{3}}", r"\frac{-1+i\sqrt{3}}{2}", r"e^{\pi i/3}"],
    r"x^3-3x+1": [r"x^3 - 3x + 1", r"1-3x+x^3", r"x(x^2-3)+1", r"x^3-3x-1"],
    r"x^{n+1}": [r"x\cdot x^n", r"x^n x", r"x^{1+n}", r"x^{n}"],
    r"\sqrt{ab}": [r"\sqrt{a}\sqrt{b}", r"(ab)^{1/2}", r"\sqrt{a b}", r"\sqrt{a+b}"],
    r"\frac{\sqrt{a}}{a}": [r"\frac{1}{\sqrt{a}}", r"a^{-1/2}", r"\sqrt{a}"],
    r"\frac{x^2-4}{x-2}": [r"x+2", r"x-2", r"\frac{(x-2)(x+2)}{x-2}"],
    r"4a^2b^3c": [r"4b^3a^2c", r"(2ab)^2bc", r"4a^3b^2c", r"4 a^{2} b^{3} c"],
    r"x_1+x_2": [r"x_2+x_1", r"x_{1}+x_{2}", r"x_1-x_2", r"x1+x2"],
    r"\alpha+\beta": [r"\beta+\alpha", r"\alpha-\beta", r"\alpha + \beta", "a+b"],
    r"\frac{n(n+1)}{2}": [r"\frac{n^2+n}{2}", r"\frac{1}{2}n(n+1)", r"\binom{n+1}{2}", r"\sum_{k=1}^n k", r"\frac{n(n-1)}{2}", r"\frac{(n+1)n}{2}"],
    r"\lfloor 3.7\rfloor": ["3", r"\lfloor\pi\rfloor", "4", r"\lceil 2.1\rceil"],
    r"-\infty < x < 2": [r"(-\infty,2)", "x<2", r"x\in(-\infty,2)", r"(-\infty,2]"],
    r"2x+y": [r"y+2x", r"2x-y", r"2(x+\frac{y}{2})", r"x+x+y"],
    r"17": ["17", "17.", " 17 ", r"\boxed{17}", r"17\text{th}", r"$17$", r"17,18", "seventeen", r"n=17", r"a=b=17", r"17\,", r"\mathbf{17}"],
    r"-5": ["-5", r"- 5", "5", r"-5.0", r"(-5)", r"-\sqrt{25}", r"x=-5", r"−5"],
    r"0": ["0", "-0", "0.0", r"\frac{0}{5}", r"\sin\pi", r"\sin 0", "1", r"x-x", r"\emptyset"],
    r"\emptyset": [r"\varnothing", r"\{\}", r"\emptyset", r"\text{no solution}", "0"],
    r"\mathbb{R}": [r"(-\infty,\infty)", r"\mathbb R", r"\text{all real numbers}", r"\mathbb{Z}", r"\mathbb{R}"],
    r"4:30": ["4:30", "4.30", r"4:30\text{ p.m.}", r"\frac{4}{30}"],
    r"3:2": [r"\frac{3}{2}", "3:2", "1.5", "2:3", "6:4"],
    r"1010_2": ["1010_2", r"1010_{2}", "1010", r"10_{10}", r"\text{1010}_2"],
    r"2345_6": ["2345_{6}", "2345", "2345_7", r"2345_6"],
    r"AB": ["BA", "AB", r"A B", r"\overline{AB}", r"\text{AB}", "ab"],
    r"\overline{AB}": ["AB", r"\overline{AB}", r"\overline{BA}"],
    r"a=1,b=2": [r"a=1, b=2", r"b=2,a=1", r"(1,2)", r"1,2", r"a=2,b=1"],
    r"x=1,y=-1": [r"(1,-1)", r"x=1, y=-1", r"1,-1", r"y=-1,x=1"],
    r"(0,0),(1,1)": [r"(1,1),(0,0)", r"(0,0), (1,1)", r"\{(0,0),(1,1)\}", r"(0,0)", r"(0,0)\text{ and }(1,1)"],
    r"(2,3),(-2,-3)": [r"(-2,-3),(2,3)", r"(2,3), (-2,-3)", r"(2,3),(2,-3)"],
    r"\frac{3}{5}\text{ of the class}": [r"\frac{3}{5}", "0.6", r"60\%"],
    r"2\sin x\cos x+1": [r"\sin 2x+1", r"1+\sin(2x)", r"(\sin x+\cos x)^2", r"\sin 2x-1"],
    r"\frac{1}{1+\sqrt{2}}": [r"\sqrt{2}-1", r"0.414214", r"\frac{1}{\sqrt{2}+1}", r"1-\sqrt{2}"],
    r"\sqrt{x+1}-\sqrt{x}": [r"\frac{1}{\sqrt{x+1}+\sqrt{x}}", r"-\sqrt{x}+\sqrt{1+x}", r"\sqrt{1}"],
    r"\log_{10} 5": [r"\log 5", r"\frac{\ln 5}{\ln 10}", r"1-\log_{10}2", "0.69897", r"0.698970", r"\log_5 10"],
    r"\ln(x^2)": [r"2\ln x", r"2\ln|x|", r"\ln x^2", r"(\ln x)^2"],
    r"\int_0^1 x\,dx": [r"\frac{1}{2}", r"0.5", r"\int_0^1 t\,dt"],
    r"\lim_{x\to 0}\frac{\sin x}{x}": ["1", "0"],
    r"\sum_{k=1}^{4} k": ["10", "9", r"\frac{4\cdot5}{2}"],
    r"100\sqrt{2}": [r"\sqrt{20000}", "141.42", r"141.421356", r"100\cdot 2^{1/2}", r"50\sqrt{8}", r"100\sqrt 2"],
    r"\frac{\pi^2}{6}": [r"\pi^2/6", r"\frac16\pi^2", r"1.644934", r"\frac{\pi}{6}"],
    r"z=-1+i": [r"-1+i", "i-1", r"z = i-1", r"w=-1+i", r"-1-i"],
    r"(a+b)(a^2-ab+b^2)": [r"a^3+b^3", r"(a+b)^3", r"b^3+a^3"],
    r"k\ge -2": [r"[-2,\infty)", r"k \geq -2", r"-2\le k", r"k>-2", r"x\ge -2"],
    r"p\neq 3": [r"p \ne 3", r"3\neq p", r"p=3", r"(-\infty,3)\cup(3,\infty)"],
    r"x\neq 2": [r"x\ne 2", r"(-\infty,2)\cup(2,\infty)", r"\mathbb{R}\setminus\{2\}"],
    r"\begin{cases} x=1\\ y=2\end{cases}": [r"x=1,y=2", r"(1,2)"],
    r"7\text{ or }-3": ["7,-3", "-3,7", r"7, -3", r"7\text{ and }-3", "7"],
    r"\frac{2}{3}, -1": [r"-1,\frac{2}{3}", r"-1, 2/3", r"\frac{2}{3}", r"0.666667,-1"],
    r"8!-1": ["40319", r"40320-1", r"8!", r"7!\cdot8-1"],
}

ugly = [
    ("So $\\boxed{5}$.", ["", "   ", "5", "$", "$$", "$5$", "The answer is 5", "the answer is $5.$", "Final Answer: The final answer is", "Final Answer: The final answer is . I hope it is correct.", "\\boxed{5", "\\boxed{}", "\\boxed 5", "$\\boxed{5}$ and $\\boxed{6}$", "$\\boxed{6}$ or $\\boxed{5}$", "５", "I think it's five (5)", "5 apples", "5%", "\u200b5", "5\u00a0", "Answer: 5\nAnswer: 6", "answer is **5**", "= 5.", "5)", "1 + 4 = 5", "Answer: x = 5", "The answer is 10/2", "The answer is $10/2", "It costs $5", "\\[5\\]", "\\(5\\)", "$$5$$", "$\n5\n$", "5,", "5.0.0", "5e0", "5 is the final answer is 5 I hope", "The final answer is: $5$", "The final answer to the question is 5.", "\\frac{10}{2}", "-\\frac{-10}{2}", "{5}", "[5]", "\\text{5}"]),
    ("Hence \\boxed 7 is it", ["7", "Final Answer: The final answer is 7. I hope it is correct.", "$7$", "\\boxed 7 is it", "$\\boxed{7}$"]),
    ("Hence $\\fbox{7}$.", ["7", "Final Answer: The final answer is 7. I hope it is correct.", "\\fbox{7}", "$\\boxed{7}$"]),
    ("Thus $a=\\boxed{\\frac{1}{2}}$ and $b=\\boxed{3}$.", ["$\\boxed{3}$", "$\\frac12$, $3$", "Final Answer: The final answer is $3$. I hope it is correct.", "$\\frac{1}{2}$ and $3$"]),
    ("The set is $\\boxed{\\{1, 2\\}}$", ["$1$ and $2$", "$2$, $1$", "1 and 2", "Final Answer: The final answer is $\\{2,1\\}$. I hope it is correct."]),
    ("Thus $x = \\boxed{-\\frac{\\text{3}}{4} \\text{ units}}$.", ["Final Answer: The final answer is $-\\frac{3}{4}$. I hope it is correct.", "-0.75", "$-\\frac{3}{4}$"]),
    ("It is $\\boxed{\\dfrac{3}{4}}$ of \\$8.", ["Final Answer: The final answer is $\\frac34$. I hope it is correct.", "$.75$", "0.75", "3/4", "The answer is 3/4.", "75%"]),
    ("It is $\\boxed{1{,}234.5}$.", ["1234.5", "1,234.5", "$1,\\!234.5$", "Final Answer: The final answer is $1234.50$. I hope it is correct."]),
    ("Then $\\boxed{x^2 - y^2 = 1}$.", ["$y^2 = x^2 - 1$", "$x^2-y^2=1$", "$\\boxed{x^2-y^2-1=0}$", "$1 = x^2 - y^2$", "$\\boxed{x^2 + y^2 = 1}$"]),
]

# written after the port: gold: answers, right and wrong
unseen = {
    r"\frac{7}{12}": ["7/12", r"\frac{14}{24}", r"0.58\overline{3}", "0.583", r"\dfrac{7}{12}", r"\frac{12}{7}", r"\frac{1}{3}+\frac{1}{4}"],
    r"-\frac{11}{4}": [r"\frac{-11}{4}", "-2.75", r"-2\frac{3}{4}", r"2.75", r"-(11/4)", r"\left(-\frac{11}{4}\right)"],
    r"42": ["42.0", r"6\cdot7", r"6 \times 7", "forty-two", "24", r"\text{42}", r"42^\circ", r"\lfloor 42.9 \rfloor", "4 2"],
    r"\frac{5\sqrt{2}}{2}": [r"\frac{5}{\sqrt2}", r"2.5\sqrt{2}", r"\sqrt{12.5}", r"\sqrt{\frac{25}{2}}", r"5\sqrt{2}/2", r"\frac{5\sqrt{3}}{2}", "3.535534"],
    r"10 - 4\sqrt{5}": [r"2(5-2\sqrt{5})", r"-4\sqrt5+10", r"10-\sqrt{80}", r"10-2\sqrt{5}", r"1.055728"],
    r"\sqrt{7-4\sqrt{3}}": [r"2-\sqrt{3}", r"\sqrt3-2", r"\frac{1}{2+\sqrt{3}}", r"\tan 15^\circ"],
    r"\sqrt[3]{54}": [r"3\sqrt[3]{2}", r"54^{1/3}", r"3\cdot2^{\frac{1}{3}}", r"2\sqrt[3]{3}"],
    r"2\sqrt[4]{5}": [r"\sqrt[4]{80}", r"\sqrt{4\sqrt{5}}", r"2\cdot5^{0.25}", r"\sqrt[4]{5}\cdot2"],
    r"\frac{3\pi}{4}": [r"135^\circ", r"\frac{3}{4}\pi", r"0.75\pi", r"3\pi/4", r"\frac{\pi}{4}", r"\pi - \frac{\pi}{4}", "2.356194"],
    r"12\pi+36": [r"12(\pi+3)", r"36+12\pi", r"12 \pi + 36 \text{ cm}^2", r"48\pi", r"6(2\pi+6)"],
    r"\frac{4}{3}\pi r^3": [r"\frac{4\pi r^3}{3}", r"4/3 \pi r^{3}", r"\frac43\pi r^3", r"\frac{4}{3}\pi r^2", r"V=\frac{4}{3}\pi r^3"],
    r"5-12i": [r"-12i+5", r"(3-2i)^2", r"5 - 12 i", r"5+12i", r"\frac{169}{5+12i}"],
    r"\frac{3+4i}{5}": [r"\frac{3}{5}+\frac{4}{5}i", r"0.6+0.8i", r"\frac{2+i}{2-i}", r"\frac{3}{5}+\frac{4i}{5}", r"\frac{3-4i}{5}"],
    r"-8i": [r"(1-i)^6 ", r"8/i", r"-8\cdot i", "8i", r"(2i)^3"],
    r"2e^{i\pi/4}": [r"\sqrt{2}+i\sqrt{2}", r"\sqrt2(1+i)", r"2\cos\frac{\pi}{4}+2i\sin\frac{\pi}{4}"],
    r"e^{3}-1": [r"e^3-1", r"-1+e^{3}", r"\exp(3)-1", r"e^3", r"(e-1)(e^2+e+1)"],
    r"3\ln 2": [r"\ln 8", r"\ln(8)", r"3\log 2", r"2.079442", r"2\ln 3", r"\ln 2^3"],
    r"\log_3 18": [r"2+\log_3 2", r"\log_{3}(18)", r"\frac{\log 18}{\log 3}", r"\log_{18} 3"],
    r"\frac{\log 3}{\log 7}": [r"\log_7 3", r"\frac{\ln 3}{\ln 7}", r"\log_{7}{3}", r"\log\frac{3}{7}"],
    r"2x^2-5x+3": [r"(2x-3)(x-1)", r"3-5x+2x^2", r"2x^2+5x+3", r"2(x-1)(x-\frac{3}{2})", r"y=2x^2-5x+3", r"2 x^{2}-5 x+3"],
    r"(x+2)(x^2-2x+4)": [r"x^3+8", r"(x^2-2x+4)(x+2)", r"(x+2)^3", r"(x+2)((x-1)^2+3)"],
    r"(y^2+4)(y+2)(y-2)": [r"y^4-16", r"(y-2)(y+2)(y^2+4)", r"(y^2-4)(y^2+4)", r"(y^2+4)(y-2)^2"],
    r"7(x+3)(x-3)": [r"7x^2-63", r"7(x^2-9)", r"7(x-3)(x+3)", r"(7x+21)(x-3)", r"7(x+9)(x-1)"],
    r"\frac{2x}{x^2-1}": [r"\frac{1}{x-1}+\frac{1}{x+1}", r"\frac{2x}{(x-1)(x+1)}", r"\frac{-2x}{1-x^2}", r"\frac{2}{x-1}"],
    r"\frac{3t}{t+2}": [r"3-\frac{6}{t+2}", r"\frac{3}{1+\frac{2}{t}}", r"3t/(t+2)", r"3t/t+2", r"\frac{3x}{x+2}"],
    r"\frac{xy}{x+y}": [r"\frac{1}{\frac1x+\frac1y}", r"\frac{yx}{y+x}", r"(x^{-1}+y^{-1})^{-1}", r"\frac{x+y}{xy}"],
    r"p^2q-pq^2+7": [r"pq(p-q)+7", r"7+p^2q-q^2p", r"pq(p+q)+7"],
    r"x^{-2}": [r"\frac{1}{x^2}", r"(1/x)^2", r"-x^2", r"\frac{1}{x\cdot x}"],
    r"x^{\frac{3}{2}}": [r"x\sqrt{x}", r"\sqrt{x^3}", r"x^{3/2}", r"x^{1.5}", r"x^{2/3}"],
    r"3^{n-1}": [r"\frac{3^n}{3}", r"3^{n}\cdot\frac13", r"3^n-1", r"9^{(n-1)/2}"],
    r"2^{2n}": [r"4^n", r"(2^n)^2", r"2\cdot2^n", r"2^n\cdot2^n"],
    r"n(n-1)(n-2)": [r"n^3-3n^2+2n", r"\frac{n!}{(n-3)!}", r"(n-2)(n-1)n"],
    r"\cos 2\theta": [r"1-2\sin^2\theta", r"2\cos^2\theta-1", r"\cos^2\theta-\sin^2\theta", r"\cos(2\theta)", r"2\cos\theta"],
    r"\sec^2 x": [r"1+\tan^2 x", r"\frac{1}{\cos^2 x}", r"\tan^2x-1"],
    r"\sin(a+b)": [r"\sin a\cos b+\cos a\sin b", r"\sin(b+a)", r"\sin a+\sin b"],
    r"\frac{\sqrt{6}+\sqrt{2}}{4}": [r"\cos 15^\circ", r"\cos\frac{\pi}{12}", r"\sin\frac{5\pi}{12}", r"\frac{\sqrt2+\sqrt6}{4}", r"\frac{1}{\sqrt6-\sqrt2}", r"\frac{\sqrt{6}-\sqrt{2}}{4}"],
    r"\arctan 2": [r"\tan^{-1} 2", r"\tan^{-1}(2)", r"\arcsin\frac{2}{\sqrt5}", "1.107149", r"\arctan\frac12"],
    r"\frac{\sinh 2}{2}": [r"\frac{e^2-e^{-2}}{4}", r"\sinh 1\cosh 1", r"\cosh 2/2"],
    r"|2x-6|": [r"2|x-3|", r"|6-2x|", r"2x-6", r"2\left|x-3\right|"],
    r"7!": ["5040", r"7\cdot6!", "5041", r"7\cdot 720"],
    r"\binom{10}{3}": ["120", r"\frac{10\cdot9\cdot8}{6}", r"\binom{10}{7}", r"C(10,3)", r"\dbinom{10}{4}"],
    r"\frac{12!}{5!7!}": ["792", r"\binom{12}{5}", r"\binom{12}{6}"],
    r"(-4,7)": [r"\left(-4, 7\right)", r"( -4,7 )", r"(7,-4)", r"x=-4, y=7", r"-4,7", r"(-4.0,7.0)", r"\langle -4,7\rangle"],
    r"\left(\frac{1}{2},-\frac{3}{4}\right)": [r"(0.5,-0.75)", r"(1/2, -3/4)", r"\left(\tfrac12,-\tfrac34\right)", r"(\frac{1}{2},\frac{3}{4})"],
    r"(2\sqrt{2},\frac{\pi}{4},0)": [r"(\sqrt8,\pi/4,0)", r"(2\sqrt{2}, \frac{\pi}{4}, 0)", r"(2\sqrt{2},\frac{\pi}{4})"],
    r"(6,31,-1)": [r"(6, 31, -1)", r"\left(6,31,-1\right)", r"6,31,-1", r"(6,31,1)", r"[6,31,-1]"],
    r"(-1,4]": [r"(-1, 4]", r"-1<x\le 4", r"\left(-1,4\right]", r"[-1,4]", r"(-1,4)", r"x \in (-1,4]"],
    r"(-2,\infty)": [r"x>-2", r"(-2, +\infty)", r"x \gt -2", r"-2<x", r"[-2,\infty)", r"(-2,\infty]"],
    r"(-\infty,0)\cup(0,\infty)": [r"x\neq0", r"(-\infty, 0) \cup (0, +\infty)", r"(0,\infty)\cup(-\infty,0)", r"\mathbb{R}\setminus\{0\}", r"(-\infty,\infty)"],
    r"[-3,-1)\cup(1,3]": [r"(1,3]\cup[-3,-1)", r"\left[-3,-1\right) \cup \left(1,3\right]", r"[-3,-1]\cup[1,3]", r"1<|x|\le3"],
    r"\left[\frac{1}{2}, \frac{4}{3}\right]": [r"[0.5,\frac43]", r"\frac12\le x\le\frac43", r"[1/2,4/3]", r"(\frac12,\frac43)"],
    r"(3,4)\cup(4,\infty)": [r"(3, 4) \cup (4, \infty)", r"x>3, x\neq4", r"(3,\infty)"],
    r"\{-1,0,4\}": [r"\{4,0,-1\}", r"-1,0,4", r"x=-1,0,4", r"\{-1,4\}", r"\left\{0,-1,4\right\}", r"-1,\ 0,\ 4"],
    r"3,5,7": [r"7,5,3", r"3, 5, 7", r"3,5,\text{ and }7", r"\{3,5,7\}", r"3,5", r"(3,5,7)", r"357"],
    r"-3,\frac{1}{2}": [r"\frac12,-3", r"x=-3\text{ or }x=\frac12", r"0.5, -3", r"3,-\frac{1}{2}", r"-3 \text{ and } \frac{1}{2}"],
    r"\pm\sqrt{5}": [r"\sqrt5,-\sqrt5", r"-\sqrt{5},\sqrt{5}", r"\pm \sqrt 5", r"\sqrt{5}", r"x=\pm\sqrt{5}"],
    r"2\pm i": [r"2+i,2-i", r"2-i, 2+i", r"x=2\pm i", r"\pm 2+i", r"2+i"],
    r"-2\pm\sqrt{7}": [r"-2+\sqrt{7},-2-\sqrt{7}", r"\frac{-4\pm\sqrt{28}}{2}", r"2\pm\sqrt{7}"],
    r"t=-\frac{1}{3}": [r"-\frac13", r"-1/3", r"t = -\frac{1}{3}", r"x=-\frac{1}{3}", r"\frac{1}{3}"],
    r"y=-\frac{1}{2}x+4": [r"-\frac{1}{2}x+4", r"y=4-\frac{x}{2}", r"x+2y=8", r"y = -0.5x + 4", r"y=\frac12x+4", r"2y=8-x"],
    r"3x-4y+12=0": [r"3x-4y=-12", r"4y-3x-12=0", r"y=\frac{3}{4}x+3", r"3x+4y+12=0", r"6x-8y+24=0", r"3x - 4y + 12 = 0"],
    r"(x-2)^2+(y+1)^2=9": [r"x^2+y^2-4x+2y-4=0", r"(y+1)^2+(x-2)^2=9", r"(2-x)^2+(y+1)^2=9", r"(x-2)^2+(y+1)^2=3"],
    r"\frac{x^2}{9}+\frac{y^2}{4}=1": [r"4x^2+9y^2=36", r"\frac{y^2}{4}+\frac{x^2}{9}=1", r"\frac{x^2}{4}+\frac{y^2}{9}=1"],
    r"g(t)=3t-1": [r"3t-1", r"g(t) = -1+3t", r"f(t)=3t-1", r"g(t)=3t+1"],
    r"x<-1": [r"-1>x", r"(-\infty,-1)", r"x \lt -1", r"x\le-1", r"x>-1", r"x < -1"],
    r"0<k<4": [r"(0,4)", r"k\in(0,4)", r"4>k>0", r"0 < k < 4", r"0\le k\le4", r"0<x<4"],
    r"a\geq\frac{3}{2}": [r"a\ge1.5", r"[\frac32,\infty)", r"\frac32\le a", r"a>\frac{3}{2}", r"2a\ge3"],
    r"\begin{pmatrix} 0 & -1 \\ 1 & 0 \end{pmatrix}": [r"\begin{bmatrix}0&-1\\1&0\end{bmatrix}", r"\begin{pmatrix}0&1\\-1&0\end{pmatrix}", r"\begin{pmatrix} 0 & -1 \\ 1 & 0\end{pmatrix}", r"\left(\begin{array}{cc}0&-1\\1&0\end{array}\right)"],
    r"\begin{pmatrix} 2 \\ -7 \\ 3 \end{pmatrix}": [r"\begin{pmatrix}2\\-7\\3\end{pmatrix}", r"(2,-7,3)", r"\begin{bmatrix}2\\-7\\3\end{bmatrix}", r"\begin{pmatrix}2&-7&3\end{pmatrix}", r"2\mathbf{i}-7\mathbf{j}+3\mathbf{k}"],
    r"\begin{bmatrix} \frac{1}{2} & \frac{\sqrt{3}}{2} \end{bmatrix}": [r"\begin{bmatrix}0.5&\frac{\sqrt3}{2}\end{bmatrix}", r"\frac12\begin{bmatrix}1&\sqrt3\end{bmatrix}", r"\begin{bmatrix}\frac12\\\frac{\sqrt3}{2}\end{bmatrix}"],
    r"\begin{vmatrix} 1 & 2 \\ 3 & 4 \end{vmatrix}": ["-2", "2", r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", r"1\cdot4-2\cdot3"],
    r"72^\circ": ["72", r"72^{\circ}", "72 degrees", r"72\text{ degrees}", r"\frac{2\pi}{5}", r"18^\circ", r"72°"],
    r"25\%": ["25", "0.25", r"\frac14", r"25 \%", "25 percent", r"2.5\%", r"25\text{\%}"],
    r"8\text{ inches}": ["8", "8 inches", r"8\text{ in}", r"8\text{ feet}", r"8\ \text{inches}", r"\text{8 inches}", r"8\mbox{ inches}"],
    r"120\text{ miles}": ["120", r"120\,\text{miles}", "120 mi", "120 miles", r"12\text{ miles}"],
    r"30\text{ m/s}": ["30", r"30\,\text{m/s}", r"30 \frac{\text{m}}{\text{s}}", "30 m/s"],
    r"\$18.90": ["18.90", "18.9", r"\$18.9", r"$18.90$", "18.90 dollars", r"\$19"],
    r"\$1{,}250": ["1250", "1,250", r"\$1250", r"1{,}250", r"\$1,250.00", "125"],
    r"2,500,000": ["2500000", r"2{,}500{,}000", r"2.5\times10^6", r"2.5 \text{ million}", "2,500,00"],
    r"6.02\times10^{23}": [r"6.02\cdot 10^{23}", r"602\times10^{21}", r"6.02e23", r"6.02\times 10^{22}"],
    r"5\frac{3}{8}": [r"\frac{43}{8}", "5.375", r"5 \frac38", "43/8", r"\frac{15}{8}", r"5+\frac{3}{8}"],
    r"0.\overline{27}": [r"\frac{3}{11}", r"0.2727", "0.272727", r"0.\overline{72}", r".\overline{27}"],
    r"3.14": ["3.14", "3.140", r"\frac{314}{100}", r"\pi", "3.1416", r"3.14\text{ cm}"],
    r"0.00002": [r"2\times10^{-5}", r"2\cdot10^{-5}", "0.00002", r"\frac{1}{50000}", "0.00003", "2e-5"],
    r"\text{C}": ["C", r"\text{(C)}", r"(C)", "c", "D", r"\mathrm{C}", r"C)", r"\textbf{(C)}"],
    r"\text{(E)}": ["E", r"(E)", r"\text{E}", r"\text{(A)}", r"\textbf{(E)}"],
    r"\text{ellipse}": ["ellipse", r"\text{Ellipse}", "an ellipse", r"\text{circle}", r"\text{ an ellipse}"],
    r"\text{June 20}": ["June 20", r"\text{June 20}", "20 June", r"June\ 20", r"\text{July 20}"],
    r"\text{North}": ["north", "North", r"\text{north}", "South"],
    r"\text{neither}": ["neither", r"\text{neither}", r"\text{both}", r"\textbf{neither}"],
    r"ABCD": ["ABCD", r"A B C D", "DCBA", r"\text{ABCD}", "abcd"],
    r"\angle ABC": [r"\angle ABC", "ABC", r"\angle CBA"],
    r"\triangle ABC": [r"\triangle ABC", "ABC", r"\triangle DEF"],
    r"12:45": ["12:45", "12.45", r"12:45\text{ a.m.}", "1:45"],
    r"9:4": [r"\frac{9}{4}", "9:4", "2.25", "4:9", "18:8"],
    r"11101_2": [r"11101_{2}", "11101", "29", r"\text{11101}_2", r"11101_3"],
    r"4AF_{16}": [r"4AF_{16}", "4AF", r"4af_{16}", "1199"],
    r"r=2,s=-3": [r"r=2, s=-3", r"s=-3,r=2", r"(2,-3)", r"2,-3", r"r=-3,s=2"],
    r"(1,1),(2,8),(3,27)": [r"(1,1), (2,8), (3,27)", r"(3,27),(2,8),(1,1)", r"\{(1,1),(2,8),(3,27)\}", r"(1,1),(2,8)"],
    r"(0,\pm3)": [r"(0,3),(0,-3)", r"(0,\pm 3)", r"(0,3)", r"(\pm3,0)"],
    r"x_n": [r"x_{n}", r"x_n", "xn", r"x_{n+1}"],
    r"a_{10}=55": ["55", r"a_{10} = 55", r"a_{9}=55", r"a_{10}=54"],
    r"\alpha^2+2\alpha\beta+\beta^2": [r"(\alpha+\beta)^2", r"\beta^2+\alpha^2+2\beta\alpha", r"\alpha^2+\beta^2"],
    r"\theta": [r"\theta", r"\phi", r"\Theta", "theta"],
    r"\frac{\sqrt{x+1}-1}{x}": [r"\frac{1}{\sqrt{x+1}+1}", r"\frac{-1+\sqrt{1+x}}{x}", r"\frac{\sqrt{x}}{x}"],
    r"\sqrt{a^2+b^2}": [r"(a^2+b^2)^{1/2}", r"\sqrt{b^2+a^2}", r"a+b", r"|a+bi|"],
    r"\sqrt{x}\sqrt{y}": [r"\sqrt{xy}", r"\sqrt{y}\sqrt{x}", r"(xy)^{\frac12}"],
    r"\frac{1}{\sqrt[3]{x}}": [r"x^{-1/3}", r"\frac{\sqrt[3]{x^2}}{x}", r"\sqrt[3]{\frac{1}{x}}"],
    r"\ln\frac{x}{y}": [r"\ln x-\ln y", r"\ln(x/y)", r"\frac{\ln x}{\ln y}", r"-\ln\frac{y}{x}"],
    r"e^{2x}": [r"(e^x)^2", r"e^x\cdot e^x", r"e^{x^2}", r"\exp(2x)"],
    r"e^{\ln 5}": ["5", r"\ln e^5", "4"],
    r"\sum_{n=1}^{10} n^2": ["385", r"\frac{10\cdot11\cdot21}{6}", "384"],
    r"\prod_{k=1}^{5} k": ["120", "5!", "24"],
    r"\int_1^2 2x\,dx": ["3", r"[x^2]_1^2", "4"],
    r"1+\frac{1}{1+\frac{1}{2}}": [r"\frac{5}{3}", r"\frac53", "1.666667", r"\frac{3}{2}"],
    r"\frac{\frac{1}{2}}{\frac{3}{4}}": [r"\frac{2}{3}", "2/3", r"\frac{3}{8}"],
    r"1{,}000{,}000_{10}": ["1000000", r"10^6", r"1,000,000"],
    r"2^{100}\cdot 3^{50}": [r"12^{50}", r"(2^2\cdot3)^{50}", r"6^{150}"],
    r"2^3\cdot5^2\cdot7": ["1400", r"2^3 \times 5^2 \times 7", r"7\cdot25\cdot8", "700"],
    r"10^{-4}": ["0.0001", r"\frac{1}{10000}", r"10^{4}", r"1/10^4"],
    r"\frac{a}{b}=\frac{3}{4}": [r"\frac34", r"4a=3b", r"a/b=3/4", r"\frac{b}{a}=\frac43"],
    r"n=12k+5": [r"12k+5", r"n=5+12k", r"n\equiv5\pmod{12}", r"n=12m+5"],
    r"5\pmod{7}": ["5", r"5 \pmod 7", "12"],
    r"f^{-1}(x)=\frac{x-3}{2}": [r"\frac{x-3}{2}", r"f^{-1}(x)=\frac12x-\frac32", r"y=\frac{x-3}{2}", r"\frac{2}{x-3}"],
    r"\varnothing": [r"\emptyset", r"\{\}", r"\text{none}", "0"],
    r"\mathbb{Z}": [r"\mathbb Z", r"\mathbb{R}", r"\text{integers}"],
    r"\{x\mid x>3\}": [r"(3,\infty)", r"x>3", r"\{x : x > 3\}"],
    r"\text{no real solutions}": [r"\text{no real solutions}", "no real solutions", r"\emptyset"],
    r"\overline{XY}": [r"\overline{XY}", "XY", r"\overline{YX}"],
    r"\vec{v}": ["v", r"\vec{v}", r"\mathbf{v}"],
    r"3\mathbf{i}+4\mathbf{j}": [r"(3,4)", r"3i+4j", r"4\mathbf{j}+3\mathbf{i}"],
    r"x^2 \text{ and } y^2": [r"x^2,y^2", r"y^2\text{ and }x^2", r"x^2y^2"],
    r"100(1.05)^{10}": [r"162.889463", r"100\cdot1.05^{10}", "162.89", r"100\left(\frac{21}{20}\right)^{10}"],
    r"\left(\frac{3}{5}\right)^{4}": [r"\frac{81}{625}", "0.1296", r"\frac{3^4}{5^4}", r"\frac{81}{125}"],
    r"1-\left(\frac56\right)^4": [r"\frac{671}{1296}", r"0.517747", r"1-\frac{625}{1296}", r"\frac{625}{1296}"],
    r"\lceil -2.5\rceil": ["-2", "-3", r"-\lfloor 2.5\rfloor"],
    r"\gcd(12,18)": ["6", r"\gcd(18,12)", "36"],
    r"\max(3,7)": ["7", "3", r"\max(7,3)"],
    r"x\approx 2.71": ["2.71", r"x=2.71", "2.72"],
    r"\frac{1}{2}bh": [r"\frac{bh}{2}", r"0.5bh", r"\frac12hb", "bh"],
    r"mc^2": [r"E=mc^2", r"c^2m", r"m c^{2}", "mc"],
}

prose = [
    ("By symmetry the sum is $2+3=\\boxed{5}$, as wanted.", ["We have $2+3=5$. So the answer is $5$.", "First $x=2$, then $y=3$. The answer is therefore 5.", "### Solution\n\n$$2+3=5$$\n\n**Answer:** 5", "\\boxed{4} is wrong; in fact \\boxed{5}", "Final Answer: The final answer is $2+3=5$. I hope it is correct.", "The answer is 2 + 3", "answer: five", "Step 1: 2\nStep 2: 3\nStep 3: 5\n\nTherefore, the final answer is $\\boxed{5}.$", "I get 5.00", "Final answer is $6$, no wait, $5$."]),
    ("So $\\boxed{\\frac{3}{8}}$ of them. Asy code: $[a]$.", ["The probability is $\\frac{3}{8}$.", "P = 3/8 = 0.375", "P = 37.5%", "the probability is 3 out of 8", "Final Answer: The final answer is $\\dfrac{3}{8}$. I hope it is correct.", "$\\boxed{\\text{3/8}}$", "So we get \\[\\frac{6}{16}=\\frac38.\\]", "\\begin{align*}P&=\\frac{6}{16}\\\\&=\\boxed{\\frac38}\\end{align*}"]),
    ("The roots are $\\boxed{2}$ and $\\boxed{-5}$.", ["$x=2$ or $x=-5$", "$\\boxed{2,-5}$", "$\\boxed{-5}$", "$\\boxed{2}$", "Final Answer: The final answer is $-5$. I hope it is correct."]),
    ("Hence the area is \\[\\boxed{25\\pi\\text{ square meters}}.\\]", ["Final Answer: The final answer is $25\\pi$. I hope it is correct.", "The area is $25 \\pi$ square meters.", "25π", "78.54", "$\\boxed{25\\pi \\text{ m}^2}$", "$A = \\pi r^2 = \\pi \\cdot 5^2 = 25\\pi$."]),
    ("Therefore $f(x) = \\boxed{x^2 - 4x + 4}$.", ["$f(x)=(x-2)^2$.", "Final Answer: The final answer is $(x-2)^2$. I hope it is correct.", "f(x) = x^2 - 4x + 4", "$$f(x)=x^2-4x+4.$$", "\\(x^2-4x+4\\)", "$\\boxed{f(x) = x^2-4x+4}$", "$(x-2)(x+2)$"]),
    ("Then $(x,y)=\\boxed{(3,-2)}$.", ["$x=3$ and $y=-2$", "$(x,y)=(3,-2)$", "The point is (3, -2).", "Final Answer: The final answer is $(3,-2)$. I hope it is correct.", "$\\boxed{(x,y)=(3,-2)}$", "$\\boxed{x=3,\\ y=-2}$"]),
    ("It follows that $\\boxed{\\text{Friday}}$ is the day.", ["Friday", "It is Friday.", "$\\boxed{\\text{Friday}}$", "Final Answer: The final answer is $\\text{Friday}$. I hope it is correct.", "$\\boxed{Friday}$", "The answer is $\\text{Monday}$."]),
    ("The least is $\\boxed{-\\sqrt{2}}$", ["$-\\sqrt2$", "-1.414214", "-√2", "$-2^{1/2}$", "Final Answer: The final answer is $-\\sqrt{2}$. I hope it is correct.", "$\\sqrt{2}$", "minimum = $-\\sqrt{2} \\approx -1.414$"]),
    ("No box at all, but $7$.", ["7", "$7$"]),
    ("Two: $\\boxed{1}$, then {\\boxed{ 9 }}", ["9", "$9$", "Final Answer: The final answer is $9$. I hope it is correct.", "$1$"]),
    ("Nested: $\\boxed{\\left\\{\\frac{1}{2}, \\boxed{3}\\right\\}}$.", ["3", "$\\boxed{3}$", "$\\{\\frac12,3\\}$"]),
]

ways = [
    lambda a: f"We compute.\nFinal Answer: The final answer is ${a}$. I hope it is correct.",
    lambda a: f"After some work, the result is $\\boxed{{{a}}}$.",
    lambda a: f"Final Answer: The final answer is ${a}$. I hope it is correct.\n\nProblem:\nNext",
    lambda a: f" The answer is {a}.",
    lambda a: f"Thus\n$${a}$$",
]


def outcome(name, doc, response):
    if doc is None:
        return None
    try:
        result = files[name].process_results(doc, [response])
        return list(result.values()) if len(result) > 1 else next(iter(result.values()))
    except Exception:
        return None


def case(solution, response):
    def doc(name):
        own = files[name]
        boxed = own.last_boxed_only_string(solution)
        try:
            answer = own.remove_boxed(boxed)
        except (AssertionError, TypeError):
            return None
        return {"problem": "", "solution": solution, "answer": own.normalize_final_answer(answer) if name in ("minerva", "putnam") else answer}

    docs = {name: doc(name if name in ("minerva", "leaderboard", "putnam") else "hendrycks") for name in files}
    docs["aime"] = docs["aime"] and {"Answer": docs["aime"]["answer"]}
    found = {name: outcome(name, docs[name], response) for name in files}
    return "".join("-" * (2 if name in ("minerva", "leaderboard") else 1) if one is None else "".join(str(int(own)) for own in (one if isinstance(one, list) else [one])) for name, one in found.items())


def paired(pairs):
    rows = []
    for g, (gold, answers) in enumerate(pairs.items()):
        for a, answer in enumerate(answers):
            # most in Minerva's words, which all the functions can read
            way = 0 if (g + a) % 3 else 1 + (g + 2 * a) % 4
            solution = f"So $\\boxed{{{gold}}}$."
            response = ways[way](answer)
            rows.append({"solution": solution, "response": response, "judged": case(solution, response)})
            print(len(rows), file=sys.stderr)
    return rows


def odd(texts):
    return [{"solution": solution, "response": response, "judged": case(solution, response)} for solution, responses in texts for response in responses]


# rows of the tasks: (file, function, row) with what is left of it
solutions = ["So $\\boxed{\\dfrac{1}{2}}$.", "It is $\\boxed 7 $ or \\boxed 8$.", "Then $\\fbox{3}$.", "None: 5", "Open \\boxed{1", "$\\boxed{x = 12{,}000\\text{ cm}}$ é", "$\\boxed{\\left(\\sqrt2, 3 \\right]}$, not \\boxed{\\frac{1}{2}}", "x } \\boxed{a}}", "\\boxed{ }"]
math_rows = [{"problem": f"What {i}?\n", "solution": solution, "level": f"Level {5 - i % 2}", "variation": i % 2, "type": "t"} for i, solution in enumerate(solutions)]


def rows_of(name, function, row):
    try:
        return list(getattr(files[name], function)(datasets.Dataset.from_list([row])))
    except Exception:
        return None


made = []
for name, function in [("minerva", "process_docs"), ("leaderboard", "process_docs"), ("hendrycks", "process_docs"), ("putnam", "process_docs"), ("putnam", "process_variations")]:
    made += [{"file": name, "function": function, "row": row, "left": rows_of(name, function, row)} for row in math_rows]

# answers of HRM8K as rows hold them
numbers = ["12", "12.0", 12, 12.0, 0.5, "1e3", "1e16", "-0.0", " 7 ", "inf", "NaN", "1_000", "1,000", "x", "", "0.00001", "1e400", "\u00a05", ".5", "5."]
targets = [{"answer": answer, "target": files["hrm8k"].doc_to_target({"answer": answer})} for answer in numbers]
picked = [
    {"answer": answer, "response": response, "hrm8k": outcome("hrm8k", {"answer": answer}, response), "agieval": outcome("agieval", {"answer": answer}, response) if isinstance(answer, str) else None}
    for answer in ["12", "12.0", 12, 0.5, "x=3", "$\\frac{1}{2}$", "", "no digits"]
    for response in ["12", "the answer is 12.0", "\\boxed{12.00}", "\\boxed{x = 12}", "x=12.", "$x=12$ and $y=3$", "so 3", "= 3..", "a=3\\nb", "\\boxed 12", "\\boxed{}", "\\fbox{12}", "$1/2$", "$0.5$", "$\\frac12$", "", "$$", "none", "12a 3", "$12 4", "1 $2$\n$3$ $12$", "=", "\\boxed{12", "a\n= 1/2 "]
]
texts = [{"function": function, "doc": {"question": question}, "text": getattr(files["hrm8k"], function)({"question": question})} for function in ("doc_to_text", "doc_to_text_mmmlu") for question in ("1 + 1 = ?", " \n삼각형 $ABC$\u3000")]
samples = {name: hashlib.sha256(json.dumps(files[name].list_fewshot_samples(), ensure_ascii=False, separators=(",", ":")).encode()).hexdigest() for name in ("minerva", "leaderboard", "putnam")}

lines = lambda rows: "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"
versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in ["lm_eval", "sympy", "math-verify", "latex2sympy2-extended", "antlr4-python3-runtime"])
print('{"versions": ' + json.dumps(versions) + ',\n"tuned": ' + lines(paired(pairs) + odd(ugly)) + ',\n"held": ' + lines(paired(unseen) + odd(prose)) + ',\n"rows": ' + lines(made) + ',\n"targets": ' + lines(targets) + ',\n"picked": ' + lines(picked) + ',\n"texts": ' + lines(texts) + ',\n"samples": ' + json.dumps(samples) + "}", file=recorded)
