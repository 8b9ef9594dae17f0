r"""
What lm-evaluation-harness 0.4.13 makes of pairs of answers in the manner of MATH: its functions with SymPy 1.14 and math_verify 0.9, timeouts made twenty times as long so that a slow machine changes nothing.

    python bench/golden/math_answers.py > test/task/harness/ports/math/golden/answers.json

A case: {"half", "solution", "response", "minerva": [exact_match, math_verify], "leaderboard": [exact_match, exact_match_original], "hendrycks", "aime", "putnam"}; null where a function raises.

Halves: of the pairs, every second gold with all its answers is held, of the odd ones every second response. The port was mended by the tuned half alone; the held half says how far it agrees on what it was not made for.
"""
import importlib.util
import json
import os
import signal
import sys

import lm_eval

alarm = signal.alarm
signal.alarm = lambda seconds: alarm(seconds * 20)

tasks = os.path.join(os.path.dirname(lm_eval.__file__), "tasks")


def module(file):
    spec = importlib.util.spec_from_file_location("own", os.path.join(tasks, file))
    own = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(own)
    return own


files = {name: module(file) for name, file in {"minerva": "minerva_math/utils.py", "leaderboard": "leaderboard/math/utils.py", "hendrycks": "hendrycks_math/utils.py", "aime": "aime/utils.py", "putnam": "putnam_axiom/utils.py"}.items()}

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
        except AssertionError:
            return None
        return {"problem": "", "solution": solution, "answer": own.normalize_final_answer(answer) if name in ("minerva", "putnam") else answer}

    return {
        "minerva": outcome("minerva", doc("minerva"), response),
        "leaderboard": outcome("leaderboard", doc("leaderboard"), response),
        "hendrycks": outcome("hendrycks", doc("hendrycks"), response),
        "aime": outcome("aime", doc("hendrycks") and {"Answer": doc("hendrycks")["answer"]}, response),
        "putnam": outcome("putnam", doc("putnam"), response),
    }


cases = []
for g, (gold, answers) in enumerate(pairs.items()):
    for a, answer in enumerate(answers):
        # most in Minerva's words, which all the functions can read
        way = 0 if (g + a) % 3 else 1 + (g + 2 * a) % 4
        solution = f"We see that it holds, so that the answer is $\\boxed{{{gold}}}$."
        response = ways[way](answer)
        cases.append({"half": "held" if g % 2 else "tuned", "solution": solution, "response": response, **case(solution, response)})
        print(len(cases), file=sys.stderr)
odd = [{"half": "held" if r % 2 else "tuned", "solution": solution, "response": response, **case(solution, response)} for solution, responses in ugly for r, response in enumerate(responses)]

lines = lambda rows: "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"
print('{"pairs": ' + lines(cases) + ',\n"odd": ' + lines(odd) + "}")
